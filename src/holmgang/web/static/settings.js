/** @file How this browser shows duels: settings that it remembers. */
import { signal } from "@preact/signals";
import { recall, remember } from "./session.js";

/** Speeds of the reveal, with the factor of its times. @type {Record<string, number>} */
export const SPEEDS = { slow: 1.6, normal: 1, fast: 0.5, off: 0 };

/** The speed of the reveal. */
export const speed = signal(
  SPEEDS[recall("speed") ?? ""] === undefined ? "normal" : recall("speed"),
);
/** Whether players see themselves on the left. */
export const isOwnLeft = signal(recall("left") !== "red");
export const hasSound = signal(recall("sound") !== "off");
/** Whether the browser says whose turn it is while no page of the site is seen. */
export const hasNotifications = signal(recall("notify") === "on");

/** @param {string} to */
export function setSpeed(to) {
  speed.value = to;
  remember("speed", to);
}

/** @param {boolean} isOn */
export function setOwnLeft(isOn) {
  isOwnLeft.value = isOn;
  remember("left", isOn ? null : "red");
}

/** @param {boolean} isOn */
export function setSound(isOn) {
  hasSound.value = isOn;
  remember("sound", isOn ? null : "off");
}

/** Asks the browser for permission, if that is needed. @param {boolean} isOn */
export async function setNotifications(isOn) {
  const isAllowed = isOn && (await Notification.requestPermission()) === "granted";
  hasNotifications.value = isAllowed;
  remember("notify", isAllowed ? "on" : null);
}

/** The first reveals of a person are slower. */
const FIRST_REVEALS = 3;
const FIRST_PACE = 1.6;
let reveals = Number(recall("reveals") ?? 0);

/** The factor of the times of the next reveal, which is counted. */
export function nextPace() {
  const pace = SPEEDS[speed.value ?? ""];
  if (reveals >= FIRST_REVEALS) return pace;
  reveals += 1;
  remember("reveals", String(reveals));
  return pace * FIRST_PACE;
}

/** Whether the visitor has asked the device for less motion. */
export function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
