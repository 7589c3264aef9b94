"""The limits of messages, components, forms and commands. Numbers are those of README.md."""

import re

from tests.discord.standin.errors import check

EPHEMERAL, LOADING, COMPONENTS_V2 = 64, 128, 32768
FILE_BYTES, REQUEST_BYTES = 10 * 2**20, 25 * 2**20
BUTTON, TEXT_INPUT, LABEL = 2, 4, 18
SELECTS = (3, 5, 6, 7, 8)
NAME = re.compile(r"^[-_'\w]{1,32}$")


def check_message(body, files, *, before=None) -> None:
    """A message to be made, or `before` as an edit changes it."""
    content = body.get("content") or ""
    embeds = body.get("embeds") or []
    components = body.get("components") or []
    flags = body.get("flags") or 0
    check(len(content) <= 2000, "content: must be 2000 or fewer in length")
    check_embeds(embeds)
    check(len(files) <= 10, "", 30015)
    check(all(len(file) <= FILE_BYTES for file in files.values()), "", 40005)
    check(sum(map(len, files.values())) <= REQUEST_BYTES, "", 40005)
    if flags & COMPONENTS_V2:
        check(not content and not embeds, "a message of version 2 has no content and no embeds")
        check(count_components(components) <= 40, "components: at most 40")
        return
    check_rows(components)
    if before is None:
        check(content or embeds or files or components, "", 50006)
    else:
        after = {**before, **body}
        kept = after.get("attachments") or files or after.get("components")
        check(after.get("content") or after.get("embeds") or kept, "", 50006)


def check_embeds(embeds) -> None:
    check(len(embeds) <= 10, "embeds: at most 10")
    total = 0
    for embed in embeds:
        fields = embed.get("fields") or []
        check(len(embed.get("title") or "") <= 256, "embed title: at most 256")
        check(len(embed.get("description") or "") <= 4096, "embed description: at most 4096")
        check(len(fields) <= 25, "embed fields: at most 25")
        for field in fields:
            check(1 <= len(field["name"]) <= 256, "embed field name: 1 to 256")
            check(1 <= len(field["value"]) <= 1024, "embed field value: 1 to 1024")
            total += len(field["name"]) + len(field["value"])
        footer = (embed.get("footer") or {}).get("text") or ""
        check(len(footer) <= 2048, "embed footer: at most 2048")
        total += len(embed.get("title") or "") + len(embed.get("description") or "") + len(footer)
    check(total <= 6000, "embeds: at most 6000 characters in all")


def count_components(components) -> int:
    return sum(1 + count_components(each.get("components") or []) for each in components)


def check_rows(rows) -> None:
    check(len(rows) <= 5, "components: at most 5 rows")
    ids = []
    for row in rows:
        check(row.get("type") == 1, "components: rows only")
        inner = row.get("components") or []
        check(1 <= len(inner) <= 5, "a row has 1 to 5 components")
        if any(each["type"] in SELECTS for each in inner):
            check(len(inner) == 1, "a row has one select and nothing else")
        for each in inner:
            check_component(each)
            if "custom_id" in each:
                ids.append(each["custom_id"])
    check(len(ids) == len(set(ids)), "custom_id: must be unique in a message")


def check_component(component) -> None:
    kind = component["type"]
    if kind == BUTTON:
        check(component.get("style") in (1, 2, 3, 4, 5), "button style: 1 to 5")
    if kind == BUTTON and component.get("style") == 5:
        check(1 <= len(component.get("url") or "") <= 512, "url: 1 to 512")
    else:
        check(1 <= len(component.get("custom_id") or "") <= 100, "custom_id: 1 to 100")
    if kind == BUTTON:
        label = component.get("label") or ""
        check(len(label) <= 80, "button label: at most 80")
        check(label or component.get("emoji"), "a button has a label or an emoji")
    elif kind == 3:
        options = component.get("options") or []
        check(1 <= len(options) <= 25, "a select has 1 to 25 options")
        check(len(component.get("placeholder") or "") <= 150, "placeholder: at most 150")
        for option in options:
            check(1 <= len(option["label"]) <= 100, "option label: 1 to 100")
            check(1 <= len(option["value"]) <= 100, "option value: 1 to 100")
            check(len(option.get("description") or "") <= 100, "option description: at most 100")
        values = [option["value"] for option in options]
        check(len(values) == len(set(values)), "option values: must be unique")
        check(sum(1 for option in options if option.get("default")) <= 1, "one default at most")
    else:
        check(kind in (BUTTON, *SELECTS), f"component type {kind} does not belong into a row")


def check_modal(data) -> None:
    check(1 <= len(data.get("title") or "") <= 45, "modal title: 1 to 45")
    check(1 <= len(data.get("custom_id") or "") <= 100, "modal custom_id: 1 to 100")
    outer = data.get("components") or []
    check(1 <= len(outer) <= 5, "a modal has 1 to 5 components")
    for each in outer:
        check(each["type"] == LABEL, "a modal has labels")
        check(1 <= len(each.get("label") or "") <= 45, "label: 1 to 45")
        check(len(each.get("description") or "") <= 100, "label description: at most 100")
        inner = each["component"]
        check(1 <= len(inner.get("custom_id") or "") <= 100, "custom_id: 1 to 100")
        if inner["type"] == TEXT_INPUT:
            check(inner.get("style") in (1, 2), "text input style: 1 or 2")
            check((inner.get("max_length") or 4000) <= 4000, "max_length: at most 4000")
            check(len(inner.get("placeholder") or "") <= 100, "text placeholder: at most 100")


def check_commands(commands) -> None:
    """A list that replaces all global commands."""
    for kind, most in ((1, 100), (2, 15), (3, 15)):
        own = [each["name"] for each in commands if each.get("type", 1) == kind]
        check(len(own) <= most, f"at most {most} commands of type {kind}")
        check(len(own) == len(set(own)), "command names: must be unique")
    for command in commands:
        if command.get("type", 1) != 1:
            check(1 <= len(command["name"]) <= 32, "menu name: 1 to 32")
            check(not command.get("description"), "a menu has no description")
            continue
        check_named(command)
        options = command.get("options") or []
        check(len(options) <= 25, "at most 25 options")
        needed = [bool(option.get("required")) for option in options]
        check(needed == sorted(needed, reverse=True), "required options come first")
        for option in options:
            check_named(option)
            choices = option.get("choices") or []
            check(len(choices) <= 25, "at most 25 choices")
            check(all(1 <= len(each["name"]) <= 100 for each in choices), "choice name: 1 to 100")
        check(length_of(command) <= 8000, "a command has at most 8000 characters")


def check_named(value) -> None:
    name = value["name"]
    check(NAME.match(name) and name == name.lower(), f"name {name!r}: 1 to 32, lower case")
    check(1 <= len(value.get("description") or "") <= 100, "description: 1 to 100")


def length_of(command) -> int:
    own = len(command["name"]) + len(command.get("description") or "")
    for option in command.get("options") or []:
        own += len(option["name"]) + len(option["description"])
        own += sum(
            len(each["name"]) + len(str(each["value"])) for each in option.get("choices") or []
        )
    return own
