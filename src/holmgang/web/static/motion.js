/** @file Whether things move. */

/** Whether the visitor has asked the device for less motion. */
export function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
