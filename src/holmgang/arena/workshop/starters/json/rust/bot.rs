//! @NAME@, a bot for Holmgang: it answers each request for a choice with a line of JSON.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufRead, Write};

/// JSON, as much of it as a bot needs: the text of a value. What is missing is empty.
#[derive(Clone, Copy)]
struct Json<'a>(&'a str);

impl<'a> Json<'a> {
    fn is(self, word: &str) -> bool {
        self.0.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) == Some(word)
    }

    #[allow(dead_code)] // you will need it
    fn number(self) -> f64 {
        self.0.parse().unwrap_or(0.0)
    }

    /// The items of an array; the keys and values of an object, in turn.
    fn items(self) -> Vec<Json<'a>> {
        let mut items = Vec::new();
        if !self.0.starts_with(['[', '{']) {
            return items;
        }
        let mut rest = next(&self.0[1..]);
        while !rest.is_empty() && !rest.starts_with([']', '}']) {
            let (value, after) = rest.split_at(length(rest));
            items.push(Json(value));
            rest = next(after);
        }
        items
    }

    /// The value of a key in an object.
    fn get(self, key: &str) -> Json<'a> {
        let items = self.items();
        let found = items.chunks_exact(2).find(|pair| pair[0].is(key));
        found.map_or(Json(""), |pair| pair[1])
    }
}

fn next(text: &str) -> &str {
    text.trim_start_matches([' ', '\t', '\r', '\n', ',', ':'])
}

/// The length of the value at the start of a text.
fn length(text: &str) -> usize {
    match text.as_bytes()[0] {
        b'"' => {
            let mut is_escaped = false;
            let end = text[1..].find(|sign| {
                let ends = sign == '"' && !is_escaped;
                is_escaped = sign == '\\' && !is_escaped;
                ends
            });
            end.map_or(text.len(), |end| end + 2)
        }
        b'[' | b'{' => {
            let mut rest = next(&text[1..]);
            while !rest.is_empty() && !rest.starts_with([']', '}']) {
                rest = next(&rest[length(rest)..]);
            }
            (text.len() - rest.len() + 1).min(text.len())
        }
        _ => text.find([' ', '\t', '\r', '\n', ',', ':', ']', '}']).unwrap_or(text.len()),
    }
}

/// The choice to make. Think here: README.md shows what is in a request. A number in it is
/// `request.get("state").get("red").get("hp").number()`, for example.
fn think(request: Json) -> Json {
    let choices = request.get("choices").items();
    choices[random() as usize % choices.len()]
}

/// Any number: the standard library has no dice, but its hash tables are seeded by them.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

fn main() -> io::Result<()> {
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let message = Json(line.trim());
        let kind = message.get("type");
        if kind.is("hello") {
            writeln!(out, r#"{{"name": "@NAME@", "author": "@AUTHOR@", "protocol": 1}}"#)?;
        } else if kind.is("choose") {
            let (id, choice) = (message.get("id").0, think(message).0);
            writeln!(out, r#"{{"id": {id}, "choice": {choice}}}"#)?;
        } // else the start or the end of a game, or what a later version may say
        out.flush()?;
    }
    Ok(())
}
