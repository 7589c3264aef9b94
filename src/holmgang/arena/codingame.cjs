// The functions that CodinGame gives to JavaScript besides Node's own. Loaded before the bot by
// every Node that speaks CodinGame's protocol: see `Sandbox` in judge/sandbox.py.
"use strict";

const fs = require("node:fs");

const STDIN = 0;
const LINE_FEED = 10;
const chunk = Buffer.alloc(65536);
let unread = Buffer.alloc(0);

// Waits for input. The number of bytes read into `chunk`; 0 at the end of the input.
function read() {
  for (;;) {
    try {
      return fs.readSync(STDIN, chunk);
    } catch (error) {
      // A bot that has also used `process.stdin` reads from a pipe that does not wait.
      if (error.code === "EAGAIN") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      else if (error.code !== "EINTR") throw error;
    }
  }
}

// The next line, without its end. At the end of the input the game is over, and so is the program.
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
