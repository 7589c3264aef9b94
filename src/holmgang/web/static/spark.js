/** @file A rating over time, as a small line. */
import { html } from "./html.js";

const [WIDTH, HEIGHT] = [160, 44];

/** @param {{ history: [number, number][] }} props times and ratings */
export function Spark({ history }) {
  if (history.length < 2) return null;
  const values = history.map(([, value]) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const points = values.map((value, place) => {
    const x = 3 + ((WIDTH - 6) * place) / (values.length - 1);
    const y = HEIGHT - 4 - ((HEIGHT - 8) * (value - least)) / (most - least || 1);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return html`<svg
    class="spark"
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    preserveAspectRatio="none"
    role="img"
    aria-label="Rating from ${values[0]} to ${values.at(-1)}, highest ${most}"
  >
    <path d="M${points.join("L")}" />
  </svg>`;
}
