// @NAME@, a fencer for CodinGame's Fencing Esport and for Holmgang.
"use strict";

const readline = require("readline");

const WORDS = ["@WORDS@"]; // README.md has more of them

// The word of this turn. Think here: you are always at the left.
function think(me, other) {
  return WORDS[Math.floor(Math.random() * WORDS.length)];
}

function readFencer(line) {
  const [
    position, energy, score, drugCount, energyMax, breakSkill, walkSkill, doubleWalkSkill,
    retreatSkill, doubleRetreatSkill, lungeSkill, parrySkill,
  ] = line.split(" ").map(Number);
  return {
    position, energy, score, drugCount, energyMax, breakSkill, walkSkill, doubleWalkSkill,
    retreatSkill, doubleRetreatSkill, lungeSkill, parrySkill,
  };
}

let me = null;
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  if (me === null) {
    me = readFencer(line);
  } else {
    console.log(think(me, readFencer(line)));
    me = null;
  }
});
