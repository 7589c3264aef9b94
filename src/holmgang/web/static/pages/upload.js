/** @file A record made elsewhere, to watch it here. */
import { useState } from "preact/hooks";
import { messageOf, request } from "../api.js";
import { html } from "../html.js";
import { Icon } from "../icons.js";
import { Problem } from "../parts.js";
import { navigate } from "../router.js";
import { useTitle } from "../turns.js";

export function Upload() {
  useTitle("Upload a record");
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [isOver, setOver] = useState(false);

  /** @param {string} record */
  const upload = async (record) => {
    setBusy(true);
    setProblem("");
    try {
      const { match } = await request("POST", "/api/records", record);
      navigate(`/match/${match}`);
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  /** @param {File | undefined} file */
  const read = async (file) => {
    if (file) await upload(await file.text());
  };
  /** @param {any} event */
  const drop = (event) => {
    event.preventDefault();
    setOver(false);
    read(event.dataTransfer?.files[0]);
  };

  return html`<div class="plain">
    <h1>Watch a record</h1>
    <p class="soft">
      A record is the file that the terminal, the arena or this site writes for each game. Upload
      one to step through it here and to share it by link.
    </p>
    <label
      class="drop ${isOver ? "over" : ""}"
      onDragOver=${(/** @type {Event} */ event) => (event.preventDefault(), setOver(true))}
      onDragLeave=${() => setOver(false)}
      onDrop=${drop}
    >
      <input
        type="file"
        accept=".jsonl,.json,.txt,application/jsonl"
        data-file
        disabled=${isBusy}
        onChange=${(/** @type {any} */ event) => read(event.target.files[0])}
      />
      <${Icon} name="upload" />
      <b>${isBusy ? "Uploading…" : "Choose a file"}</b>
      <span class="soft small">or drop it here</span>
    </label>
    <form
      onSubmit=${(/** @type {Event} */ event) => {
        event.preventDefault();
        upload(text);
      }}
    >
      <label for="record">Or paste it</label>
      <textarea
        id="record"
        rows="6"
        spellcheck=${false}
        value=${text}
        onInput=${(/** @type {any} */ event) => setText(event.target.value)}
      >
      </textarea>
      <button class="btn main" type="submit" disabled=${isBusy || !text.trim()}>Watch it</button>
    </form>
    <${Problem} error=${problem} />
  </div>`;
}
