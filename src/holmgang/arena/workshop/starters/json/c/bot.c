/* @NAME@, a bot for Holmgang: it answers each request for a choice with a line of JSON. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* JSON, as much of it as a bot needs. A value is a pointer to its first character, or NULL if there
 * is none. */

static const char *next(const char *at)
{
    return at + strspn(at, " \t\r\n,:");
}

/* What comes right after a value. */
static const char *after(const char *at)
{
    if (*at == '"') {
        for (at++; *at && *at != '"'; at++)
            if (*at == '\\' && at[1])
                at++;
        return *at ? at + 1 : at;
    }
    if (*at == '{' || *at == '[') {
        for (at = next(at + 1); *at && *at != '}' && *at != ']';)
            at = next(after(at));
        return *at ? at + 1 : at;
    }
    return at + strcspn(at, " \t\r\n,:]}");
}

static int length_of(const char *value)
{
    return (int)(after(value) - value);
}

/* Whether a value is this text. */
static int is(const char *value, const char *text)
{
    size_t length = strlen(text);
    return value && *value == '"' && (size_t)length_of(value) == length + 2 &&
           strncmp(value + 1, text, length) == 0;
}

/* The value of a key in an object. */
static const char *field(const char *object, const char *key)
{
    if (!object || *object != '{')
        return NULL;
    for (const char *at = next(object + 1); *at == '"';) {
        const char *value = next(after(at));
        if (is(at, key))
            return value;
        at = next(after(value));
    }
    return NULL;
}

/* The item of an array with this number, from 0. */
static const char *item(const char *array, int number)
{
    if (!array || *array != '[')
        return NULL;
    for (const char *at = next(array + 1); *at && *at != ']'; at = next(after(at)))
        if (number-- == 0)
            return at;
    return NULL;
}

static int count(const char *array)
{
    int items = 0;
    while (item(array, items))
        items++;
    return items;
}

/* The choice to make. Think here: README.md shows what is in a request. A number in it is read by
 * strtod(field(field(field(request, "state"), "red"), "hp"), NULL), for example. */
static const char *think(const char *request)
{
    const char *choices = field(request, "choices");
    return item(choices, rand() % count(choices));
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    struct timespec now;

    timespec_get(&now, TIME_UTC);
    srand((unsigned)(now.tv_sec ^ now.tv_nsec));
    while (getline(&line, &room, stdin) > 0) {
        const char *message = next(line), *type = field(message, "type");
        if (is(type, "hello")) {
            puts("{\"name\": \"@NAME@\", \"author\": \"@AUTHOR@\", \"protocol\": 1}");
        } else if (is(type, "choose")) {
            const char *id = field(message, "id"), *choice = think(message);
            printf("{\"id\": %.*s, \"choice\": %.*s}\n", length_of(id), id, length_of(choice), choice);
        } /* else the start or the end of a game, or what a later version may say */
        fflush(stdout);
    }
    free(line);
    return 0;
}
