// Steps through the frames of a recorded duel: buttons, slider, keys, and the number after the # of
// the address. The board is changed in place, so that CSS transitions show what moves.
"use strict";
const [pieces, frames] = JSON.parse(document.querySelector("#frames").textContent);
const find = (name) => document.querySelector(`#${name}`);
const [board, slider, number, now, rounds, play] = ["board", "slider", "number", "now", "rounds", "play"].map(find);
const last = frames.length - 1;
const shapes = { play: "M6 4v12l10-6z", pause: "M7 4v12M13 4v12" };
let at = -1;
let timer = null;

function picture(which) {
  const text = frames[which].map((piece) => pieces[piece]).join("");
  return new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
}

// Makes the old element equal to the fresh one, and keeps as many of its descendants as possible.
function morph(old, fresh) {
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const named = new Map();
  const others = [];
  for (const child of old.childNodes) {
    if (child.id) named.set(child.id, child);
    else others.push(child);
  }
  const wanted = [...fresh.childNodes].map((child) => {
    let match = child.id ? named.get(child.id) : null;
    if (!child.id && others[0]?.nodeName === child.nodeName) match = others.shift();
    if (match?.nodeName !== child.nodeName) return child;
    morph(match, child);
    return match;
  });
  for (const child of [...old.childNodes]) if (!wanted.includes(child)) child.remove();
  wanted.forEach((child, place) => {
    if (old.childNodes[place] !== child) old.insertBefore(child, old.childNodes[place] ?? null);
  });
}

function show(which) {
  const wanted = Math.max(0, Math.min(last, which));
  if (wanted === at) return;
  at = wanted;
  morph(board.querySelector("svg"), picture(at));
  slider.value = String(at);
  slider.setAttribute("aria-valuetext", at ? `Round ${at}` : "Start");
  number.textContent = `${at} / ${last}`;
  for (const name of ["first", "back"]) find(name).disabled = at === 0;
  for (const name of ["forward", "last"]) find(name).disabled = at === last;
  rounds.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const item = rounds.children[at];
  item.setAttribute("aria-current", "step");
  now.replaceChildren(...item.cloneNode(true).childNodes);
  const top = item.offsetTop - rounds.offsetTop;
  if (top < rounds.scrollTop || top + item.offsetHeight > rounds.scrollTop + rounds.clientHeight) {
    rounds.scrollTop = top - rounds.clientHeight / 3;
  }
  history.replaceState(null, "", `#${at}`);
}

function run(isRunning) {
  clearInterval(timer);
  timer = isRunning ? setInterval(step, 1100) : null;
  play.querySelector("path").setAttribute("d", isRunning ? shapes.pause : shapes.play);
  play.setAttribute("aria-label", isRunning ? "Pause" : "Play");
  play.title = isRunning ? "Pause" : "Play";
}

function step() {
  show(at + 1);
  if (at === last) run(false);
}

function toggle() {
  if (timer !== null) {
    run(false);
    return;
  }
  if (at === last) show(0);
  run(last > 0);
}

function go(which) {
  run(false);
  show(which);
}

const moves = {
  first: () => go(0),
  back: () => go(at - 1),
  play: toggle,
  forward: () => go(at + 1),
  last: () => go(last),
};
const keys = { Home: "first", ArrowLeft: "back", " ": "play", ArrowRight: "forward", End: "last" };
for (const [name, move] of Object.entries(moves)) find(name).addEventListener("click", move);
slider.addEventListener("input", () => go(Number(slider.value)));
addEventListener("keydown", (event) => {
  const isOwn = event.target === slider || (event.key === " " && event.target.closest("button, a"));
  if (isOwn || !(event.key in keys) || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  moves[keys[event.key]]();
});
addEventListener("hashchange", () => go(Number.parseInt(location.hash.slice(1), 10) || 0));
show(Number.parseInt(location.hash.slice(1), 10) || 0);
