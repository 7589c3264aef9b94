/** @file The title of the browser's tab: the page, and how many other duels wait. */
import { useEffect } from "preact/hooks";
import { elsewhere } from "./turns.js";

/** @param {string} title */
export function useTitle(title) {
  const { length } = elsewhere();
  useEffect(() => {
    document.title = `${length ? `(${length}) ` : ""}${title ? `${title} · ` : ""}Holmgang`;
  }, [title, length]);
}
