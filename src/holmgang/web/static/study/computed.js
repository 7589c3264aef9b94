/** @file What the server computes about finished games: it is asked again until it is done. */
import { useEffect, useState } from "preact/hooks";
import { get, messageOf } from "../api.js";

const ASK_AGAIN_MS = 400;
const NOTHING = { answer: null, done: 0, of: 0, error: "" };

/**
 * The answer to a request, or the progress while it is computed: `done` of so many rounds.
 *
 * @template Answer
 * @param {string} path
 * @returns {{ answer: Answer | null, done: number, of: number, error: string }}
 */
export function useComputed(path) {
  const [found, setFound] = useState({ path: "", .../** @type {any} */ (NOTHING) });
  useEffect(() => {
    let isWanted = true;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const ask = () =>
      get(path).then(
        (answer) => {
          if (!isWanted) return;
          const isDone = answer.players !== undefined;
          if (isDone) setFound({ ...NOTHING, path, answer });
          else setFound({ ...NOTHING, path, done: answer.done, of: answer.rounds });
          if (!isDone) timer = setTimeout(ask, ASK_AGAIN_MS);
        },
        (error) => isWanted && setFound({ ...NOTHING, path, error: messageOf(error) }),
      );
    ask();
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [path]);
  return found.path === path ? found : NOTHING;
}
