/** @file The first page: a duel in three clicks, live duels and the lobby. */
import { useEffect, useState } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { get, messageOf } from "../api.js";
import { Board } from "../board.js";
import { Channel } from "../channel.js";
import { html } from "../html.js";
import { gameIcon, Icon } from "../icons.js";
import { Problem, Segments } from "../parts.js";
import { navigate } from "../router.js";
import { catalogue, loadCatalogue, me, openMatch, recall, remember } from "../session.js";
import { useTitle } from "../turns.js";
import { capitalised, choiceTimeText, usualSeconds } from "../words.js";

/** @typedef {import("../types.js").LobbyLists} Lobby */
/** @typedef {import("../types.js").Samples} Samples */
/** @typedef {import("../types.js").CatalogueGame} GameDescription */
/** @typedef {import("../types.js").PresetLine} Preset */

export function Home() {
  useTitle("Play");
  const lobby = useLobby();
  const yours = lobby?.yours ?? [];
  const isBack = me.value ? me.value.name !== null : recall("reveals") !== null;
  const samples = useSamples();
  return html`<div class="home">
    ${
      isBack
        ? html`<${Part} from=${() => import("../home/back.js").then((each) => each.Back)} yours=${yours} />`
        : html`<${Hero} samples=${samples} />`
    }
    <div class="stack">
      <${Start} waiting=${lobby?.open.length ?? 0} boards=${samples?.boards} isMain=${isBack} />
      ${isBack && html`<${Part} from=${() => import("../home/record.js").then((each) => each.Record)} />`}
      ${
        lobby?.live.length
          ? html`<${Part}
            from=${() => import("../home/live.js").then((each) => each.Live)}
            matches=${lobby.live}
          />`
          : ""
      }
    </div>
    <div class="stack">
      <${Part} from=${() => import("../puzzle/daily.js").then((each) => each.DailyPuzzle)} />
      ${
        lobby?.open.length
          ? html`<${Part}
            from=${() => import("../home/lobby.js").then((each) => each.OpenMatches)}
            matches=${lobby.open}
            own=${yours.map((match) => match.match)}
          />`
          : ""
      }
    </div>
  </div>`;
}

/** A round of a real game and a board of each game, which come after the rest of the page. */
function useSamples() {
  const [samples, setSamples] = useState(/** @type {Samples | null} */ (null));
  useEffect(() => {
    get("/api/games/samples").then(setSamples, () => {});
  }, []);
  return samples;
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

/**
 * A part of the page that is loaded after the rest.
 *
 * @param {{ from: () => Promise<any> }} props the others are passed on
 */
function Part({ from, ...props }) {
  const [part, setPart] = useState(/** @type {{ show: any } | null} */ (null));
  useEffect(() => {
    from().then(
      (show) => setPart({ show }),
      () => {},
    );
  }, []);
  return part && html`<${part.show} ...${props} />`;
}

/** What this is, for those who come for the first time. @param {{ samples: Samples | null }} props */
function Hero({ samples }) {
  const [problem, setProblem] = useState("");
  const game = catalogue.value?.games[0];
  const start = async () => {
    if (!game) return;
    try {
      const opponent = { level: game.opponent };
      navigate(`/match/${await openMatch({ ruleset: game.first, opponent, seconds: null })}`);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return html`<section class="hero" aria-label="What is Holmgang?">
    <div>
      <h1>Choose in secret. Reveal together.</h1>
      <p>
        Short duels for two. You both pick a card at the same time, both cards turn over, and you
        see who guessed better.
      </p>
      <p class="row">
        <button type="button" class="btn main big" data-first disabled=${!game} onClick=${start}>
          <${Icon} name="play" />Play your first duel
        </button>
        <a class="btn big" href="/learn/${game?.name ?? ""}">Learn in 3 rounds</a>
      </p>
      <p class="small">
        ${game?.title ?? ""} against an easy computer player. No account is needed.
      </p>
      <${Problem} error=${problem} />
    </div>
    <div class="frame sample">
      ${
        samples &&
        html`<${Part}
          from=${() => import("../home/reveal.js").then((each) => each.Reveal)}
          samples=${samples}
        />`
      }
    </div>
  </section>`;
}

// The three steps

/**
 * @param {{ waiting: number, boards?: Record<string, string>, isMain: boolean }} props `isMain`:
 *   whether its button is the main one of the page
 */
function Start({ waiting, boards, isMain }) {
  const [problem, setProblem] = useState("");
  const isBusy = useSignal(false);
  const [game, setGame] = useState(recall("game") ?? "bagh");
  const [opponent, setOpponent] = useState(recall("opponent") ?? "level");
  const [level, setLevel] = useState(recall("level"));
  const [bot, setBot] = useState("");
  const [preset, setPreset] = useState(/** @type {Preset | null} */ (null));
  /** @param {string} to */
  const changeGame = (to) => {
    setGame(to);
    setPreset(null);
  };
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
  const ruleset = preset?.ruleset ?? chosen?.first ?? "";
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
      const asked = { ruleset, opponent: against, seconds: time };
      const wins = preset ? { wins_needed: preset.wins_needed } : {};
      navigate(`/match/${await openMatch({ ...asked, ...wins })}`);
    } catch (error) {
      setProblem(messageOf(error));
      isBusy.value = false;
    }
  };

  const query = new URLSearchParams({
    game: chosen?.name ?? "bagh",
    opponent: kind,
    level: levelName,
    ...(preset && { preset: preset.name }),
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
              onChange=${() => changeGame(each.name)}
            />
            <${Board} picture=${boards?.[each.name]} prefix=${`${each.name}-`} isSmall=${true}>
              ${!boards?.[each.name] && html`<${Icon} name=${gameIcon(each.name)} />`}
            </${Board}>
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
      onChange=${changeGame}
      options=${variants.map((each) => ({ value: each.name, label: each.variant }))}
    />`
    }
    ${
      chosen &&
      chosen.first !== chosen.name &&
      html`<div class="presets">
        <${Part}
          key=${chosen.name}
          from=${() => import("../home/presets.js").then((each) => each.Presets)}
          game=${chosen}
          preset=${preset}
          onChange=${setPreset}
        />
      </div>`
    }
    ${
      chosen &&
      html`<p class="small line">
        <a href="/learn/${chosen.name}" data-learn>Learn ${chosen.title} in a few guided rounds</a>
      </p>`
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
      ${ruleset !== chosen?.name && " These rules are not rated."}
    </p>`
    }
    <div class="go">
      <button class="btn ${isMain ? "main" : ""} big" type="submit" data-start disabled=${isBusy.value || !chosen}>
        <${Icon} name="play" />${label}
      </button>
      <span class="small soft">
        <span class="wide">${chosen && winsText(preset?.wins_needed ?? chosen.wins_needed)} · ${choiceTimeText(seconds)} · </span>
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
