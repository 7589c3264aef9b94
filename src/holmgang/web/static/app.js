/** @file The site: header, footer, and the page that the address names. */
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "./html.js";
import { Icon, Mark } from "./icons.js";
import { Home } from "./pages/home.js";
import { address, startRouter } from "./router.js";
import { loadStyle } from "./styles.js";
import { loadMe, me, nextTheme, theme } from "./session.js";
import { elsewhere, startTurns } from "./turns.js";

/**
 * Pages other than the first, loaded when they are needed.
 *
 * @type {[RegExp, () => Promise<(props: any) => any>][]}
 */
const PAGES = [
  [/^\/setup$/, async () => (await import("./pages/setup.js")).Setup],
  [
    /^\/match\/([^/]+)$/,
    () => styled(["duel"], async () => (await import("./pages/match.js")).MatchPage),
  ],
  [/^\/watch$/, () => styled(["people"], async () => (await import("./pages/watch.js")).Watch)],
  [
    /^\/history$/,
    () => styled(["people"], async () => (await import("./pages/history.js")).History),
  ],
  [/^\/upload$/, () => styled(["people"], async () => (await import("./pages/upload.js")).Upload)],
  [/^\/puzzles(?:\/([^/]+))?$/, async () => (await import("./pages/puzzles.js")).Puzzles],
  [
    /^\/players$/,
    () => styled(["people"], async () => (await import("./pages/players.js")).Players),
  ],
  [
    /^\/player\/([^/]+)$/,
    () => styled(["people"], async () => (await import("./pages/player.js")).Profile),
  ],
  [/^\/sign-in$/, async () => (await import("./pages/sign_in.js")).SignIn],
  [
    /^\/explore(?:\/([^/]+))?$/,
    () => styled(["duel", "study"], async () => (await import("./pages/explore.js")).Explore),
  ],
  [/^\/learn(?:\/([^/]+))?$/, async () => (await import("./pages/learn.js")).Learn],
  [/^\/rules(?:\/([^/]+))?$/, async () => (await import("./pages/rules.js")).Rules],
];

/** A page with style sheets of its own. @param {string[]} names @param {() => Promise<any>} load */
async function styled(names, load) {
  const [page] = await Promise.all([load(), ...names.map(loadStyle)]);
  return page;
}

const NAVIGATION = [
  ["/", "Play"],
  ["/watch", "Watch"],
  ["/explore", "Explore"],
  ["/puzzles", "Puzzles"],
  ["/players", "Players"],
  ["/learn", "Learn"],
  ["/rules", "Rules"],
];

function App() {
  const [path] = address.value.split("?");
  return html`
    <a class="skip" href="#main">Skip to content</a>
    <${Header} path=${path} />
    <${Page} key=${path} path=${path} />
    <${Footer} />
  `;
}

/** Whether no page has been shown since the site was loaded. */
let isFirst = true;

/** @param {{ path: string }} props */
function Page({ path }) {
  const [found, setFound] = useState(
    /** @type {{ page: any } | null} */ (path === "/" ? { page: Home } : null),
  );
  const [problem, setProblem] = useState("");
  const main = useRef(/** @type {HTMLElement | null} */ (null));
  const [, load] = PAGES.find(([pattern]) => pattern.test(path)) ?? [];
  const [, argument = ""] = PAGES.map(([pattern]) => path.match(pattern)).find(Boolean) ?? [];
  useEffect(() => {
    if (found) return;
    const loading = load ? load() : import("./pages/missing.js").then((module) => module.Missing);
    loading.then(
      (page) => setFound({ page }),
      () => setProblem("This page could not be loaded."),
    );
  }, []);
  useEffect(() => {
    if (!found) return;
    // A new page is read from its beginning, also by a screen reader. For the first page, the
    // browser does this itself, starting with the link that skips to the content.
    if (!isFirst && document.activeElement === document.body)
      main.current?.focus({ preventScroll: true });
    isFirst = false;
  }, [found]);
  return html`<main id="main" tabindex="-1" ref=${main}>
    ${
      problem &&
      html`<p class="banner warn" role="alert">
      ${problem} <a href=${path} target="_self">Try again</a>
    </p>`
    }
    ${found && html`<${found.page} argument=${decoded(argument)} />`}
  </main>`;
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param {{ path: string }} props */
function Header({ path }) {
  const who = me.value;
  return html`<header class="top">
    <div>
      <a class="brand" href="/">
        <${Mark} /><span class="wide">Holmgang</span><span class="sr"> home</span>
      </a>
      <nav aria-label="Main">
        ${NAVIGATION.map(([to, label]) => {
          const isCurrent = to === "/" ? path === "/" || path === "/setup" : path.startsWith(to);
          const isWide = ["/players", "/learn", "/rules"].includes(to);
          return html`<a
            class=${isWide ? "wide" : ""}
            href=${to}
            aria-current=${isCurrent ? "page" : undefined}
          >
            ${label}
          </a>`;
        })}
      </nav>
      <div class="me">
        <${Waiting} />
        <${ThemeButton} />
        ${
          who &&
          (who.guest
            ? html`<a href="/sign-in">Sign in</a>`
            : html`<a href="/player/${encodeURIComponent(who.name ?? "")}" dir="auto" data-me>
              ${who.name}
            </a>`)
        }
      </div>
    </div>
  </header>`;
}

/** The way to the duels that wait for the visitor, on every page. */
function Waiting() {
  const due = elsewhere();
  if (!due.length) return null;
  const text = due.length === 1 ? "duel waits for you" : "duels wait for you";
  return html`<a
    class="due"
    href="/match/${due[0].match}"
    aria-label="${due.length} ${text}"
    data-waiting
  >
    <b>${due.length}</b><span class="wide">\u00a0${text}</span>
  </a>`;
}

function ThemeButton() {
  const label = THEME_LABELS[theme.value];
  return html`<button
    type="button"
    class="btn quiet theme"
    onClick=${nextTheme}
    aria-label=${label}
    title=${label}
  >
    <${Icon} name=${{ light: "sun", dark: "moon" }[theme.value] ?? "auto"} />
  </button>`;
}

/** @type {Record<string, string>} */
const THEME_LABELS = {
  "": "Device theme; change to light",
  light: "Light theme; change to dark",
  dark: "Dark theme; change to the device theme",
};

function Footer() {
  return html`<footer class="foot">
    <a href="/learn">Learn</a>
    <a href="/rules">Rules</a>
    <a href="/players">Players</a>
    <a href="/history">Your duels</a>
    <a href="/upload">Upload a record</a>
    <a href="/api/openapi.json">API</a>
    <span>Free software. No adverts, no tracking.</span>
    <${ThemeButton} />
  </footer>`;
}

startRouter();
startTurns();
loadMe().catch(() => {
  me.value = { name: null, guest: true, ratings: {} };
});
render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("app")));
