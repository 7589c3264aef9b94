/** @file Style sheets that only some pages need. */

/** @type {Map<string, Promise<void>>} */
const loaded = new Map();

/**
 * Loads a style sheet once, before what needs it is shown.
 *
 * @param {string} name of a file in css/
 * @returns {Promise<void>}
 */
export function loadStyle(name) {
  const found = loaded.get(name);
  if (found) return found;
  const loading = /** @type {Promise<void>} */ (
    new Promise((resolve, reject) => {
      const link = document.createElement("link");
      link.rel = "stylesheet";
      link.href = new URL(`./css/${name}.css`, import.meta.url).href;
      link.addEventListener("load", () => resolve());
      link.addEventListener("error", () => {
        loaded.delete(name);
        link.remove();
        reject(new Error("The style sheet could not be loaded."));
      });
      document.head.append(link);
    })
  );
  loaded.set(name, loading);
  return loading;
}
