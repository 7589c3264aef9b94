/**
 * @file Sounds, made of a few tones each. Browsers allow none before the first click or key, so
 * until then it is quiet.
 */
import { hasSound } from "./settings.js";

/** Tones: hertz, start and length in seconds, shape. @type {Record<string, [number, number, number, OscillatorType][]>} */
const TONES = {
  reveal: [
    [300, 0, 0.06, "triangle"],
    [420, 0.07, 0.09, "triangle"],
  ],
  hit: [
    [130, 0, 0.16, "sawtooth"],
    [70, 0.02, 0.22, "sine"],
  ],
  turn: [
    [523, 0, 0.12, "sine"],
    [784, 0.12, 0.22, "sine"],
  ],
  low: [
    [660, 0, 0.07, "square"],
    [660, 0.14, 0.07, "square"],
  ],
};
const LOUDNESS = 0.12;

/** @type {AudioContext | null} */
let context = null;

/** Also later: Escape is no key that allows sound, and phones stop it while a call comes in. */
function wake() {
  context ??= new AudioContext();
  if (context.state !== "running") context.resume().catch(() => {});
}
for (const kind of ["pointerdown", "pointerup", "keydown"]) addEventListener(kind, wake);

/** @param {keyof typeof TONES} name */
export function play(name) {
  if (!hasSound.value || context?.state !== "running") return;
  for (const [hertz, start, length, shape] of TONES[name]) {
    const at = context.currentTime + start;
    const tone = new OscillatorNode(context, { type: shape, frequency: hertz });
    const loudness = new GainNode(context, { gain: 0 });
    loudness.gain.linearRampToValueAtTime(LOUDNESS, at + 0.01);
    loudness.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(loudness).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
  }
}
