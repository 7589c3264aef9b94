// The functions that CodinGame adds to JavaScript. Node loads this file before each bot that speaks
// CodinGame's protocol: see `Sandbox` in judge/sandbox.py.
"use strict";

const fs = require("node:fs");

const STDIN = 0;
const LINE_FEED = 10;
const chunk = Buffer.alloc(65536);
let unread = Buffer.alloc(0);

// Waits for input. Returns the number of bytes read into `chunk`, 0 at the end of the input.
function read() {
  for (;;) {
    try {
      return fs.readSync(STDIN, chunk);
    } catch (error) {
      // If a bot has also used `process.stdin`, the pipe does not block.
      if (error.code === "EAGAIN") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      else if (error.code !== "EINTR") throw error;
    }
  }
}

// Returns the next line without its line break. At the end of the input the game is over, so the
// program exits.
globalThis.readline = () => {
  let end;
  while ((end = unread.indexOf(LINE_FEED)) < 0) {
    const size = read();
    if (size === 0) process.exit();
    unread = Buffer.concat([unread, chunk.subarray(0, size)]);
  }
  const line = unread.toString("utf8", 0, end).replace(/\r$/, "");
  unread = unread.subarray(end + 1);
  return line;
};
globalThis.print = (...words) => console.log(...words);
globalThis.printErr = (...words) => console.error(...words);
