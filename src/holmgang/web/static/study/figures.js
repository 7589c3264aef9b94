/**
 * @file Formatted values. Exact ones have two decimals; estimates have one, and are marked as
 * approximate.
 */

/** @param {number} value @param {boolean} exact */
function digits(value, exact) {
  return Math.abs(value).toFixed(exact ? 2 : 1);
}

/** A value to red, with its sign: +0.46, −0.5. @param {number} value @param {boolean} exact */
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
export const leastCost = (exact) => (exact ? 0.005 : 0.05);

/** @type {Record<string, string>} */
export const MARK_WORDS = { "?!": "an inaccuracy", "?": "a mistake", "??": "a blunder" };
