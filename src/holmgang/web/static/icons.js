/** @file Icons, drawn here. Those of choices go by the word of the choice; any other gets a dot. */
import { html } from "./html.js";

/** 24 by 24, lines only. @type {Record<string, string>} */
const PATHS = {
  // Choices
  boost: "M5 12l7-7 7 7M5 19l7-7 7 7",
  attack: "M9 15L20 4M20 4v3.5L10.5 17M20 4h-3.5L7 13.5M5.5 12.5l6 6M8 16l-4 4",
  guard: "M12 3l7.5 2.7v5.6c0 4.6-3.2 7.9-7.5 9.8-4.3-1.9-7.5-5.2-7.5-9.8V5.7z",
  heal: "M12 20S4 15.3 4 9.6A4.4 4.4 0 0 1 12 7a4.4 4.4 0 0 1 8 2.6C20 15.3 12 20 12 20zM12 10v5M9.5 12.5h5",
  break: "M4 9c2.5-2.4 5-2.4 8 0s5.5 2.4 8 0M4 15c2.5-2.4 5-2.4 8 0s5.5 2.4 8 0",
  walk: "M9 5l7 7-7 7",
  double_walk: "M5 5l7 7-7 7M12 5l7 7-7 7",
  retreat: "M15 5l-7 7 7 7",
  double_retreat: "M19 5l-7 7 7 7M12 5l-7 7 7 7",
  lunge: "M3 21l3.5-3.5M4.5 14.5l5 5M7 17L21 3",
  parry: "M4 20L18 4M6 4l14 16M9.5 10.5l5 3",
  drug: "M10 3h4M10.5 3v6.5L6 17.5A2.3 2.3 0 0 0 8 21h8a2.3 2.3 0 0 0 2-3.5l-4.5-8V3M8 15h8",
  keep: "M4 12.5l5.5 5.5L20 7",
  forfeit: "M6 21V4M6 4.5c4-2 7 2.5 12 .5v8c-5 2-8-2.5-12-.5",
  magic: "M12 3l2 7 7 2-7 2-2 7-2-7-7-2 7-2z",
  normal:
    "M13 3c1 4 5.5 5.5 5.5 11A6.5 6.5 0 0 1 12 20.5 6.5 6.5 0 0 1 5.5 14c0-3 1.5-4.5 2.5-6 .8 1.5 1.5 2 2.5 2.5C10.5 8 11 5 13 3z",
  pierce: "M3 12h15M13 6.5L20.5 12 13 17.5M3 8.5v7",
  bubble: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM8 9.5a5 5 0 0 1 3-2.5",
  specter: "M5.5 20.5V11a6.5 6.5 0 0 1 13 0v9.5l-3.25-2.5L12 20.5 8.75 18zM9.5 11h.01M14.5 11h.01",
  strike: "M9 15L20 4M20 4v3.5L10.5 17M20 4h-3.5L7 13.5M5.5 12.5l6 6M8 16l-4 4",
  // Games
  bagh: "M12 3l7.5 2.7v5.6c0 4.6-3.2 7.9-7.5 9.8-4.3-1.9-7.5-5.2-7.5-9.8V5.7z",
  fencing: "M2 19.5h20M5 19.5v-4M19 19.5v-4M4 7l16 5M4 12l16-5",
  "defend-the-city": "M3 20V7h3v3h3V7h6v3h3V7h3v13zM10 20v-5h4v5",
  "magic-duel": "M12 3l2 7 7 2-7 2-2 7-2-7-7-2 7-2z",
  // The page
  check: "M4 12.5l5.5 5.5L20 7",
  dice: "M4 4h16v16H4zM9 9h.01M15 15h.01M15 9h.01M9 15h.01",
  first: "M17 5l-7 7 7 7M7 5v14",
  last: "M7 5l7 7-7 7M17 5v14",
  previous: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4.2 4.2 0 0 0-6-6l-1.5 1.5M14 10a4 4 0 0 0-6-.4l-3 3a4.2 4.2 0 0 0 6 6l1.5-1.5",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  download: "M12 4v11M7.5 11l4.5 4.5 4.5-4.5M4.5 20h15",
  upload: "M12 16V5M7.5 9L12 4.5 16.5 9M4.5 20h15",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z",
  book: "M4 5.5c3-1.2 5.5-1 8 .8 2.5-1.8 5-2 8-.8V18.5c-3-1.2-5.5-1-8 .8-2.5-1.8-5-2-8-.8zM12 6.3v13",
  close: "M6 6l12 12M18 6L6 18",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  people:
    "M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c.5-4 3-6 6.5-6s6 2 6.5 6M16 4.8a3.5 3.5 0 0 1 0 6.4M18 14.5c2 .8 3.2 2.6 3.5 5.5",
  computer: "M4 5h16v11H4zM9 20h6M12 16v4",
  robot: "M5 9h14v10H5zM12 9V5M12 4.5h.01M9 13.5h.01M15 13.5h.01M9.5 16.5h5M2.5 13v3M21.5 13v3",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  moon: "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z",
  auto: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 3.5v17M12 7.5h5M12 11.5h8M12 15.5h6.5",
  undo: "M8.5 5L4 9.5 8.5 14M4.5 9.5H14a5.5 5.5 0 0 1 0 11h-3",
  coach:
    "M9.5 18.5h5M10.5 21h3M12 3a6 6 0 0 0-3.6 10.8c.7.6 1.1 1.3 1.1 2.2h5c0-.9.4-1.6 1.1-2.2A6 6 0 0 0 12 3z",
  analysis: "M3.5 20.5h17M4 15l5-5 4 3.5L20 6",
  compass: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM15.5 8.5l-2 5-5 2 2-5z",
  clock: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2.5",
  flag: "M6 21V4M6 4.5c4-2 7 2.5 12 .5v8c-5 2-8-2.5-12-.5",
  handshake:
    "M3 8l4-2 5 2 5-2 4 2v7l-3 1M3 8v7l3 1 5 4 2-1 2 .5 1.5-1.5L18 16l-6-5-2 2a1.5 1.5 0 0 1-2.5-1.5L10 8.5",
  settings:
    "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4zM9 14.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4z",
  dot: "M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
};

/** @param {{ name: string, label?: string }} props */
export function Icon({ name, label }) {
  return html`<svg
    class="i"
    viewBox="0 0 24 24"
    role=${label ? "img" : undefined}
    aria-label=${label}
    aria-hidden=${label ? undefined : "true"}
  >
    <path d=${PATHS[name] ?? PATHS.dot} />
  </svg>`;
}

/** The icon for a choice: by its word, its first part, or its last. @param {string} word */
export function choiceIcon(word) {
  const names = [word, word.split(" ")[0], word.split("_").at(-1) ?? ""];
  return names.find((name) => name in PATHS) ?? "";
}

/** The icon of a game; a variant has that of its game. @param {string} name */
export function gameIcon(name) {
  const found = Object.keys(PATHS).find((each) => name === each || name.startsWith(`${each}-`));
  return found ?? "dot";
}

/** The holmgang's square with its four hazel poles. */
export function Mark() {
  return html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
    <path d="M6 6h12v12H6z" />
    <circle cx="5" cy="5" r="2.7" /><circle cx="19" cy="5" r="2.7" />
    <circle cx="5" cy="19" r="2.7" /><circle cx="19" cy="19" r="2.7" />
  </svg>`;
}

/** The sign of a seat: a ring for red, a diamond for blue. @param {{ seat: string }} props */
export function SeatSign({ seat }) {
  return seat === "red"
    ? html`<svg class="sign red" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="5" />
    </svg>`
    : html`<svg class="sign blue" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M8 1.5L14.5 8 8 14.5 1.5 8z" />
    </svg>`;
}
