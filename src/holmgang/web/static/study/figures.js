/**
 * @file Formatted values: points of 100 of the expected score, as `analysis/points.py` has them. A
 * win is 100, a draw 50, a loss 0. Exact ones have one decimal; estimates are whole, and are marked
 * as approximate.
 */

export const LEGEND = "Points of 100: a win is 100, a draw 50, a loss 0.";

/** A value from −1 to 1, or a difference of two, in points. @param {number} value */
const points = (value) => 50 * value;

/** @param {number} value @param {boolean} exact */
function digits(value, exact) {
  return Math.abs(points(value)).toFixed(exact ? 1 : 0);
}

/** What something costs, in a sentence: 11 points. @param {number} size @param {boolean} exact */
export function costText(size, exact) {
  const whole = Math.floor(Math.abs(points(size)) + 0.5);
  const text = whole === 0 ? "under 1 point" : whole === 1 ? "1 point" : `${whole} points`;
  return `${exact ? "" : "about "}${text}`;
}

/** The expected score of red: 61.0. @param {number} value @param {boolean} exact */
export function scoreText(value, exact) {
  return `${exact ? "" : "≈ "}${(50 + points(value)).toFixed(exact ? 1 : 0)}`;
}

/** A difference, with its sign: +11.0, −25. @param {number} value @param {boolean} exact */
export function signedText(value, exact) {
  const text = digits(value, exact);
  const sign = Number(text) === 0 ? "" : value < 0 ? "−" : "+";
  return `${sign}${text}`;
}

/** The same, with ≈ if it is an estimate. @param {number} value @param {boolean} exact */
export function valueText(value, exact) {
  return `${exact ? "" : "≈ "}${signedText(value, exact)}`;
}

/** What is lost or gained, without a sign. @param {number} size @param {boolean} exact */
export function sizeText(size, exact) {
  return `${exact ? "" : "≈ "}${digits(size, exact)}`;
}

/** @param {number} share */
export function percentText(share) {
  const percent = Math.round(share * 100);
  return percent === 0 && share >= 0.0005 ? "< 1 %" : `${percent} %`;
}

/** From which cost on it is worth saying. @param {boolean} exact */
export const leastCost = (exact) => (exact ? 0.001 : 0.05);

/** @type {Record<string, string>} */
export const MARK_WORDS = { "?!": "an inaccuracy", "?": "a mistake", "??": "a blunder" };
