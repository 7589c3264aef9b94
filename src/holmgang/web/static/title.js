/** @file The title of the browser's tab. */
import { useEffect } from "preact/hooks";

/** @param {string} title */
export function useTitle(title) {
  useEffect(() => {
    document.title = title ? `${title} · Holmgang` : "Holmgang";
  }, [title]);
}
