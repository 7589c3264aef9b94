/** @file Rounds of a real game that are revealed by themselves, on the first page. */
import { useEffect, useState } from "preact/hooks";
import { Board } from "../board.js";
import { FlipCard } from "../cards.js";
import { html } from "../html.js";
import { Icon } from "../icons.js";
import { isStill } from "../settings.js";

/** The phases of a round, with their length in milliseconds. */
const PHASES = /** @type {const} */ ([
  ["down", 1800],
  ["turn", 1600],
  ["told", 5200],
]);
const CAPTIONS = {
  down: "Both have chosen. Neither can see the other’s card.",
  turn: "Both cards turn over together.",
};

/** @param {{ samples: import("../types.js").Samples }} props */
export function Reveal({ samples: { start, rounds } }) {
  const last = rounds.length * PHASES.length - 1;
  const [step, setStep] = useState(isStill() ? last : 0);
  const [isPaused, setPaused] = useState(isStill());
  const [phase, ms] = PHASES[step % PHASES.length];
  const number = Math.floor(step / PHASES.length);
  useEffect(() => {
    if (isPaused) return undefined;
    const timer = setInterval(
      () => !document.hidden && setStep((old) => (old === last ? 0 : old + 1)),
      ms,
    );
    return () => clearInterval(timer);
  }, [step, isPaused]);
  const round = rounds[number];
  if (!round) return null;
  const isTold = phase === "told";
  const picture = isTold ? round.picture : (rounds[number - 1]?.picture ?? start);
  const seats = /** @type {const} */ (["red", "blue"]).filter((seat) => round[seat] !== null);
  return html`<div aria-hidden="true">
      <${Board} key=${`${number}${isTold}`} picture=${picture} chosen=${isTold ? [] : seats} prefix="sample-">
        ${
          !isTold &&
          html`<div class="reveal ${phase}">
          ${seats.map(
            (seat) => html`<${FlipCard}
            key=${`${number}${seat}`}
            seat=${seat}
            word=${round[seat]}
            label=${round.labels[seat]}
            isOpen=${phase === "turn"}
          />`,
          )}
        </div>`
        }
      </${Board}>
    </div>
    <p class="caption">
      <span>${isTold ? round.story.join(" ") : CAPTIONS[phase]}</span>
      <button
        type="button"
        class="btn quiet"
        aria-label=${isPaused ? "Play the example" : "Pause the example"}
        onClick=${() => setPaused(!isPaused)}
      >
        <${Icon} name=${isPaused ? "play" : "pause"} />
      </button>
    </p>`;
}
