// @NAME@, a bot for Holmgang: it answers each request for a choice with a line of JSON.
"use strict";

const readline = require("node:readline");

// What to do: a choice, such as {choice: "attack"}, or a mix from which the judge draws, such as
// {mix: {attack: 3, guard: 1}}. Think here: README.md shows what is in a request.
function think(request) {
  const choices = request.choices;
  return { choice: choices[Math.floor(Math.random() * choices.length)] };
}

function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    say({ name: "@NAME@", author: "@AUTHOR@", protocol: 1 });
  } else if (message.type === "choose") {
    say({ id: message.id, ...think(message) });
  } // else the start or the end of a game, or what a later version may say
});
