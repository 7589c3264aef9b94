/** @file The first page: a duel in three clicks, live duels and the lobby. */
import { useEffect, useState } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { get, messageOf } from "../api.js";
import { Board } from "../board.js";
import { FlipCard } from "../cards.js";
import { Channel } from "../channel.js";
import { html } from "../html.js";
import { gameIcon, Icon } from "../icons.js";
import { isStill } from "../motion.js";
import { MatchList, Problem, Segments } from "../parts.js";
import { navigate } from "../router.js";
import {
  catalogue,
  joinMatch,
  loadCatalogue,
  me,
  openMatch,
  recall,
  remember,
} from "../session.js";
import { useTitle } from "../title.js";
import {
  capitalised,
  changedRules,
  choiceTimeText,
  counted,
  leftText,
  other,
  playerName,
  scoreText,
  timeText,
  usualSeconds,
} from "../words.js";

/** @typedef {import("../types.js").LobbyLists} Lobby */
/** @typedef {import("../types.js").MatchLine} MatchLine */
/** @typedef {import("../types.js").OwnMatchLine} OwnMatchLine */
/** @typedef {import("../types.js").MatchView} View */
/** @typedef {import("../types.js").CatalogueGame} GameDescription */

export function Home() {
  useTitle("Play");
  const lobby = useLobby();
  const yours = lobby?.yours ?? [];
  const isBack = me.value !== null && (!me.value.guest || yours.length > 0);
  return html`<div class="home">
    ${isBack ? html`<${Welcome} yours=${yours} />` : html`<${Hero} />`}
    <div class="stack">
      <${Start} waiting=${lobby?.open.length ?? 0} />
      <${Live} matches=${lobby?.live ?? []} isLoaded=${lobby !== null} />
    </div>
    <div class="stack">
      <${Daily} />
      <${OpenMatches} matches=${lobby?.open ?? []} own=${yours.map((match) => match.match)} />
      ${!isBack && html`<${HowItWorks} />`}
      <${Ways} />
    </div>
  </div>`;
}

/** The lobby as it changes. @returns {Lobby | null} */
export function useLobby() {
  const [lobby, setLobby] = useState(/** @type {Lobby | null} */ (null));
  useEffect(() => {
    let isWanted = true;
    let loadedAt = 0;
    /** @param {Lobby} news */
    const merge = (news) =>
      isWanted && setLobby((old) => ({ ...news, yours: news.yours ?? old?.yours ?? [] }));
    const load = () => {
      loadedAt = Date.now();
      get("/api/lobby").then(merge, () => {});
    };
    // The socket sends the same to everyone, so the visitor's own matches are requested separately.
    const channel = new Channel(
      "/api/lobby/socket",
      (frame) => {
        if (frame.type !== "lobby") return;
        merge(frame);
        if (Date.now() - loadedAt > 3000) load();
      },
      { canAsk: false },
    );
    load();
    return () => {
      isWanted = false;
      channel.close();
    };
  }, []);
  return lobby;
}

/** The puzzle of the day, which is loaded after the rest of the page. */
function Daily() {
  const [part, setPart] = useState(/** @type {{ show: any } | null} */ (null));
  useEffect(() => {
    import("../puzzle/daily.js").then(
      ({ DailyPuzzle }) => setPart({ show: DailyPuzzle }),
      () => {},
    );
  }, []);
  return part && html`<${part.show} />`;
}

// Above: what this is, or what waits for you

const SAMPLES = [
  ["attack", "guard"],
  ["heal", "boost"],
  ["guard", "heal"],
  ["boost", "attack"],
];

function Hero() {
  return html`<section class="hero" aria-label="What is Holmgang?">
    <div>
      <h1>Choose in secret. Reveal together.</h1>
      <p>
        Two-player duels, most of them with both sides moving at the same moment. Read your
        opponent, make your choice, and see both cards turned over at once.
      </p>
    </div>
    <${Sample} />
  </section>`;
}

/** Two cards that turn over from time to time. */
function Sample() {
  const [step, setStep] = useState(1);
  useEffect(() => {
    if (isStill()) return undefined;
    const timer = setInterval(() => setStep((old) => (document.hidden ? old : old + 1)), 1800);
    return () => clearInterval(timer);
  }, []);
  const [red, blue] = SAMPLES[(step >> 1) % SAMPLES.length];
  const isOpen = step % 2 === 1;
  return html`<div class="sample" aria-hidden="true">
    <${FlipCard} seat="red" word=${red} isOpen=${isOpen} />
    <${FlipCard} seat="blue" word=${blue} isOpen=${isOpen} />
  </div>`;
}

/** @param {{ yours: OwnMatchLine[] }} props */
function Welcome({ yours }) {
  const games = catalogue.value?.games ?? [];
  const ratings = Object.entries(me.value?.ratings ?? {});
  const due = yours.filter((match) => match.waiting_for.includes(match.you));
  const cancelled = yours.filter((match) => match.status === "cancelled");
  const rest = yours.filter((match) => !due.includes(match) && !cancelled.includes(match));
  const going = [...due, ...rest];
  return html`<section class="hero back" aria-label="Your duels">
    <div class="row between">
      <h1>
        Welcome back${me.value?.guest ? "" : html`, <span dir="auto">${me.value?.name}</span>`}
      </h1>
      <ul class="facts">
        ${ratings.map(
          ([game, rating]) =>
            html`<li>
              ${games.find((each) => each.name === game)?.title ?? game}${" "}
              <b>${Math.round(rating.rating)}</b> ± ${Math.round(rating.deviation)}
            </li>`,
        )}
      </ul>
    </div>
    ${
      yours.length > 0 &&
      html`<div class="banner yours" data-yours>
      <b>
        ${
          due.length
            ? `Your turn in ${counted(due.length, "match", "matches")}.`
            : going.length
              ? `You have ${counted(going.length, "match", "matches")} in progress.`
              : "A match of yours was cancelled."
        }
      </b>
      <ul>
        ${[...due, ...cancelled, ...rest].slice(0, 4).map(
          (match) => html`<li key=${match.match}>
          <${Own} match=${match} isDue=${due.includes(match)} />
        </li>`,
        )}
      </ul>
      <a class="btn" href="/match/${(going[0] ?? cancelled[0]).match}">
        ${going.length ? "Continue" : "See it"}
      </a>
    </div>`
    }
  </section>`;
}

/** @param {{ match: OwnMatchLine, isDue: boolean }} props */
function Own({ match, isDue }) {
  const opponent = match.players[other(match.you)];
  const left = match.deadline ? ` · ${leftText(match.deadline - Date.now())} left` : "";
  const state =
    match.status === "open"
      ? opponent
        ? "begins when both are here"
        : "waiting for an opponent"
      : match.status === "cancelled"
        ? `cancelled: ${match.reason}`
        : `${scoreText(match.score)}${isDue ? left : " · waiting"}`;
  return html`<a href="/match/${match.match}">${playerName(opponent, "Open")}, ${match.title}</a>
    <span class="soft small"> ${state}</span>`;
}

// The three steps

/** @param {{ waiting: number }} props */
function Start({ waiting }) {
  const [problem, setProblem] = useState("");
  const isBusy = useSignal(false);
  const [game, setGame] = useState(recall("game") ?? "bagh");
  const [opponent, setOpponent] = useState(recall("opponent") ?? "level");
  const [level, setLevel] = useState(recall("level"));
  const [bot, setBot] = useState("");
  useEffect(() => {
    let timer = 0;
    const load = () =>
      loadCatalogue().then(
        () => setProblem(""),
        (error) => {
          setProblem(messageOf(error));
          timer = setTimeout(load, 2000);
        },
      );
    load();
    return () => clearTimeout(timer);
  }, []);
  const known = catalogue.value;
  const games = known?.games ?? [];
  const chosen = games.find((each) => each.name === game) ?? games[0];
  const variants = games.filter((each) => each.main === chosen?.main);
  const bots = known?.bots ?? [];
  const kind = opponent === "bot" && !bots.length ? "level" : opponent;
  const levels = known?.levels.filter((each) => each.for_people) ?? [];
  const levelName =
    levels.find((each) => each.name === level)?.name ?? chosen?.opponent ?? "beginner";
  const botName = bots.find((each) => each.name === bot)?.name ?? bots[0]?.name ?? "";
  const seconds = usualSeconds(kind);
  const title = chosen?.title ?? "BAGH";
  const label =
    {
      link: `Get a link for ${title}`,
      lobby: `Find an opponent for ${title}`,
      bot: `Play ${title} · ${botName}`,
    }[kind] ?? `Play ${title} · ${capitalised(levelName)}`;

  /** @param {Event} event */
  const start = async (event) => {
    event.preventDefault();
    if (isBusy.value || !chosen) return;
    isBusy.value = true;
    remember("game", chosen.name);
    remember("opponent", kind);
    if (level) remember("level", level);
    /** @type {any} */
    const against =
      kind === "level" ? { level: levelName } : kind === "bot" ? { bot: botName } : kind;
    try {
      const time = /** @type {15 | 60 | 86400 | null} */ (seconds);
      const asked = { ruleset: chosen.name, opponent: against, seconds: time };
      navigate(`/match/${await openMatch(asked)}`);
    } catch (error) {
      setProblem(messageOf(error));
      isBusy.value = false;
    }
  };

  const query = new URLSearchParams({
    game: chosen?.name ?? "bagh",
    opponent: kind,
    level: levelName,
  });
  return html`<form class="card start" aria-label="Start a duel" onSubmit=${start}>
    <h2 class="step"><i aria-hidden="true">1</i>Choose a game</h2>
    <fieldset class="seg games">
      <legend class="sr">Game</legend>
      ${games.length === 0 && [1, 2, 3, 4].map(() => html`<span class="ghost"></span>`)}
      ${games
        .filter((each) => each.main === each.name)
        .map(
          (each) => html`<label key=${each.name}>
            <input
              type="radio"
              name="game"
              value=${each.name}
              checked=${each.name === chosen?.main}
              onChange=${() => setGame(each.name)}
            />
            <${Icon} name=${gameIcon(each.name)} />
            <span><b>${each.title}</b><small>${capitalised(each.line)}.</small></span>
          </label>`,
        )}
    </fieldset>
    ${
      variants.length > 1 &&
      html`<${Segments}
      name="variant"
      label="Rules"
      kind="small variants"
      isLabelShown=${false}
      value=${chosen?.name ?? ""}
      onChange=${setGame}
      options=${variants.map((each) => ({ value: each.name, label: each.variant }))}
    />`
    }
    <h2 class="step"><i aria-hidden="true">2</i>Choose an opponent</h2>
    <${Segments}
      name="opponent"
      label="Opponent"
      kind="opponents"
      isLabelShown=${false}
      value=${kind}
      onChange=${setOpponent}
      options=${[
        { value: "level", label: html`<${Icon} name="computer" />Computer` },
        { value: "link", label: html`<${Icon} name="link" />A friend, by link` },
        {
          value: "lobby",
          label: html`<${Icon} name="people" />Anyone`,
          note: waiting ? `${waiting} waiting` : "",
        },
        ...(bots.length ? [{ value: "bot", label: html`<${Icon} name="robot" />A bot` }] : []),
      ]}
    />
    ${
      kind === "level" &&
      html`<${Segments}
        name="level"
        label="Level"
        kind="levels"
        isLabelShown=${false}
        value=${levelName}
        onChange=${setLevel}
        options=${levels.map((each) => ({ value: each.name, label: capitalised(each.name) }))}
      />
      <p class="small soft line">
        ${levelText(known, chosen, levelName)}
      </p>`
    }
    ${
      kind === "bot" &&
      html`<${Segments}
      name="bot"
      label="Bot"
      kind="small"
      isLabelShown=${false}
      value=${botName}
      onChange=${setBot}
      options=${bots.map((each) => ({ value: each.name, label: each.name }))}
    />`
    }
    ${
      kind === "link" &&
      html`<p class="small soft line">
      You get a link to send. The first person to open it takes the other seat.
    </p>`
    }
    ${
      kind === "lobby" &&
      html`<p class="small soft line">
      Your duel is listed in the lobby while its page is open.
    </p>`
    }
    <div class="go">
      <button class="btn main big" type="submit" data-start disabled=${isBusy.value || !chosen}>
        <${Icon} name="play" />${label}
      </button>
      <span class="small soft">
        <span class="wide">${chosen && winsText(chosen.wins_needed)} · ${choiceTimeText(seconds)} · </span>
        <a href="/setup?${query}">Change rules and time</a>
      </span>
    </div>
    <${Problem} error=${problem} />
  </form>`;
}

/**
 * The description of a level, with the score of best play against it where that is known.
 *
 * @param {import("../types.js").Catalogue | null} known
 * @param {GameDescription | undefined} game
 * @param {string} level
 */
export function levelText(known, game, level) {
  const line = known?.levels.find((each) => each.name === level)?.line ?? "";
  const best = game?.prospects[level];
  const rating = game?.ratings[level];
  const luck = game?.luck && level !== "random" ? " Luck decides much here." : "";
  const said = `${capitalised(line)}${rating ? `, about ${ratingText(rating)}` : ""}.${luck}`;
  if (!best) return said;
  const score =
    best.red === best.blue ? `${best.red} %` : `${best.red} % as Red, ${best.blue} % as Blue`;
  return `${said} Best play scores ${score} against it.`;
}

/** @param {{ red: number, blue: number }} rating */
function ratingText({ red, blue }) {
  return red === blue ? `${red} Elo` : `${red} Elo as Red, ${blue} as Blue`;
}

/** @param {number} wins */
const winsText = (wins) => (wins === 1 ? "One game" : `First to ${wins}`);

// Live duels and the lobby

/** @param {{ matches: MatchLine[], isLoaded: boolean }} props */
function Live({ matches, isLoaded }) {
  if (!isLoaded) return null;
  return html`<section class="card flush" aria-labelledby="live">
    <h2 id="live" class="head">
      <span>Live duels</span><a href="/watch">${matches.length ? "All duels" : "Finished duels"}</a>
    </h2>
    ${
      matches.length === 0
        ? html`<p class="empty soft">Nobody is playing at the moment. Yours would be the first.</p>`
        : html`<div class="live">
          <${Television} key=${matches[0].match} match=${matches[0]} />
          <${MatchList} matches=${matches.slice(0, 6)} />
        </div>`
    }
  </section>`;
}

/** The board of a match as it goes on. @param {{ match: MatchLine }} props */
function Television({ match }) {
  const [view, setView] = useState(/** @type {Partial<View>} */ ({}));
  useEffect(() => {
    const channel = new Channel(
      `/api/matches/${match.match}/socket?picture=1`,
      (frame) => {
        setView((before) => ({ ...before, ...(frame.view ?? frame.patch) }));
      },
      { canAsk: false },
    );
    return () => channel.close();
  }, [match.match]);
  const chosen = view.asked?.filter((seat) => !view.waiting_for?.includes(seat));
  const names = `${playerName(match.players.red)} – ${playerName(match.players.blue)}`;
  return html`<a class="tv" href="/match/${match.match}">
    <div aria-hidden="true"><${Board} picture=${view.picture} chosen=${chosen} /></div>
    <span class="small soft"><${Icon} name="eye" /><span class="sr">Watch </span>${names}</span>
  </a>`;
}

/** @param {{ matches: MatchLine[], own: string[] }} props */
function OpenMatches({ matches, own }) {
  const [problem, setProblem] = useState("");
  /** @param {MatchLine} match */
  const join = async (match) => {
    try {
      if (!own.includes(match.match)) await joinMatch(match.match);
      navigate(`/match/${match.match}`);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return html`<section class="card flush" aria-labelledby="lobby" data-lobby>
    <h2 id="lobby" class="head">Lobby</h2>
    ${
      matches.length === 0
        ? html`<p class="empty soft">Nobody is waiting. Choose “Anyone” to be listed here.</p>`
        : html`<ul class="lobby">
          ${matches.slice(0, 8).map((match) => {
            const host = match.players.red ?? match.players.blue;
            const changed = changedRules(match.ruleset);
            const isOwn = own.includes(match.match);
            return html`<li key=${match.match}>
              <b class="who" dir="auto">${playerName(host)}</b>
              <span class="soft small what">
                ${[match.title, ...changed].join(", ")} · ${timeText(match.seconds)}
              </span>
              <button
                type="button"
                class="btn"
                aria-label="${isOwn ? "Open" : "Join"} ${playerName(host)}, ${match.title}"
                data-join=${match.match}
                onClick=${() => join(match)}
              >
                ${isOwn ? "Open" : "Join"}
              </button>
            </li>`;
          })}
        </ul>`
    }
    <${Problem} error=${problem} />
  </section>`;
}

function HowItWorks() {
  return html`<section class="card how" aria-label="How it works">
    <h2>How it works</h2>
    <ol>
      <li><b>Both choose.</b> Neither sees the other’s choice, and both can change it.</li>
      <li><b>Both are revealed.</b> The choices take effect at the same moment.</li>
      <li>
        <b>The dice are sealed.</b> They are fixed before the first choice; anyone can verify it.
      </li>
    </ol>
  </section>`;
}

function Ways() {
  return html`<section class="card ways" aria-label="More">
    <h2>More ways to play</h2>
    <ul>
      <li>
        <a href="/setup">
          Your own rules
        </a><span class="soft small"> Change any number in the rulebook.</span>
      </li>
      <li>
        <a href="/upload">
          Watch a record
        </a><span class="soft small"> From the terminal or the arena.</span>
      </li>
      <li>
        <a href="/rules">Read the rules</a><span class="soft small"> With every ruling.</span>
      </li>
    </ul>
  </section>`;
}
