/** @file The puzzle of the day, on the first page. */
import { useEffect, useState } from "preact/hooks";
import { get } from "../api.js";
import { Board } from "../board.js";
import { html } from "../html.js";
import { Icon, SeatSign } from "../icons.js";
import { SEAT_NAMES } from "../words.js";

/** @typedef {import("../types.js").PuzzleView} Puzzle */

export function DailyPuzzle() {
  const [puzzle, setPuzzle] = useState(/** @type {Puzzle | null} */ (null));
  useEffect(() => {
    let isWanted = true;
    const load = async () => {
      const { daily } = await get("/api/puzzles");
      const found = daily && (await get(`/api/puzzles/${daily}`));
      if (found && isWanted) setPuzzle(found);
    };
    load().catch(() => {});
    return () => {
      isWanted = false;
    };
  }, []);
  if (!puzzle) return null;
  const { result } = puzzle;
  return html`<section class="card daily" aria-labelledby="daily" data-daily=${puzzle.puzzle}>
    <h2 id="daily" class="row between">
      <span>Puzzle of the day</span>
      <small>${puzzle.title} · ${puzzle.rating}</small>
    </h2>
    <a href="/puzzles/${puzzle.puzzle}" tabindex="-1" aria-hidden="true">
      <${Board} picture=${puzzle.picture} prefix="daily-" />
    </a>
    <p>
      <b><${SeatSign} seat=${puzzle.seat} /> You are ${SEAT_NAMES[puzzle.seat]}.</b>
      ${" "}${puzzle.question}
    </p>
    <div class="row">
      <a class="btn" href="/puzzles/${puzzle.puzzle}" data-solve>
        ${result ? "See the solution" : "Solve it"}
      </a>
      ${result && html`<span class="small soft">${result.solved ? "Solved." : "Not solved."}</span>`}
      <a class="small" href="/puzzles"><${Icon} name="next" />More puzzles</a>
    </div>
  </section>`;
}
