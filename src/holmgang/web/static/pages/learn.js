/**
 * @file Lessons: a few guided rounds of a game, and the list of them. Positions, stories and reasons
 * come from the server. The browser remembers how far the visitor came, under `learn.GAME`.
 */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { get, messageOf } from "../api.js";
import { Board } from "../board.js";
import { Choices, useKeys } from "../duel/choices.js";
import { html } from "../html.js";
import { Icon, SeatSign } from "../icons.js";
import { Loading, Problem, useLoaded } from "../parts.js";
import { navigate } from "../router.js";
import { catalogue, loadCatalogue, openMatch, recall, remember } from "../session.js";
import { loadStyle } from "../styles.js";
import { useTitle } from "../turns.js";
import { capitalised, choiceText, counted, uncapitalised } from "../words.js";

/** @typedef {import("../types.js").LessonView} Lesson */
/** @typedef {import("../types.js").LessonAnswer} LessonAnswer */

await loadStyle("lesson");

/** The rounds that this browser has finished. @param {string} game */
const roundsDone = (game) => Number(recall(`learn.${game}`) ?? 0) || 0;

/** @param {{ argument: string }} props */
export function Learn({ argument }) {
  return argument
    ? html`<${LessonPage} key=${argument} ruleset=${argument} />`
    : html`<${LessonList} />`;
}

function LessonList() {
  useTitle("Learn");
  const [problem, setProblem] = useState("");
  useEffect(() => {
    loadCatalogue().catch((error) => setProblem(messageOf(error)));
  }, []);
  const games = catalogue.value?.games.filter((each) => each.main === each.name);
  const samples = /** @type {import("../types.js").Samples | null} */ (
    useLoaded("/api/games/samples").value
  );
  if (problem) return html`<${Problem} error=${problem} />`;
  if (!games) return html`<${Loading} />`;
  return html`<div class="stack">
    <h1>Learn a game</h1>
    <p class="soft">A few guided rounds show what the choices do and why.</p>
    <ul class="lessons">
      ${games.map(({ name, title, line }) => {
        const done = roundsDone(name);
        return html`<li key=${name} class="card">
          <${Board}
            picture=${samples?.boards[name]}
            prefix=${`${name}-`}
            isSmall=${true}
            label="A board of ${title}"
          />
          <h2>${title}</h2>
          <p class="soft">${capitalised(line)}.</p>
          <p class="row between">
            <a class="btn ${done ? "" : "main"}" href="/learn/${encodeURIComponent(name)}">
              ${done ? "Learn again" : "Start the lesson"}<span class="sr">: ${title}</span>
            </a>
            ${done > 0 && html`<span class="small soft">${counted(done, "round")} done</span>`}
          </p>
        </li>`;
      })}
    </ul>
  </div>`;
}

/** @param {{ ruleset: string }} props */
function LessonPage({ ruleset }) {
  const { value, error } = useLoaded(`/api/lessons?${new URLSearchParams({ ruleset })}`);
  const lesson = /** @type {Lesson | null} */ (value);
  useTitle(lesson ? `Learn ${lesson.title}` : "Learn");
  if (error)
    return html`<div class="plain">
      <h1>No such lesson</h1>
      <p class="soft">${error}</p>
      <p><a class="btn main" href="/learn">All lessons</a></p>
    </div>`;
  if (!lesson) return html`<${Loading} what="Loading the lesson…" />`;
  return html`<${Rounds} lesson=${lesson} />`;
}

/** @param {{ lesson: Lesson }} props */
function Rounds({ lesson }) {
  const { rounds, game_name: game, ruleset } = lesson;
  const known = roundsDone(game);
  const [number, setNumber] = useState(known < rounds.length ? known + 1 : 1);
  const [answer, setAnswer] = useState(/** @type {LessonAnswer | null} */ (null));
  const [attempt, setAttempt] = useState(1);
  const [chosen, setChosen] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const talk = useRef(/** @type {HTMLElement | null} */ (null));
  const round = rounds[number - 1];
  /** @param {string} choice @returns {Promise<LessonAnswer>} */
  const ask = (choice) =>
    get(`/api/lessons/round?${new URLSearchParams({ ruleset, number: String(number), choice })}`);
  /** @param {string} choice */
  const choose = async (choice) => {
    if (isBusy || answer) return;
    setBusy(true);
    setProblem("");
    try {
      const found = await ask(choice);
      setChosen(choice);
      setAnswer(found);
      if (found.right) remember(`learn.${game}`, String(Math.max(roundsDone(game), number)));
    } catch (error) {
      setProblem(messageOf(error));
    }
    setBusy(false);
  };
  const latest = useRef(choose);
  latest.current = choose;
  const chooser = useMemo(
    () => ({
      shown: { value: { game: number, round: attempt } },
      choose: (/** @type {string} */ word) => latest.current(word),
      forecast: async (/** @type {string} */ choice) => {
        const { story } = await ask(choice);
        return { note: story.join(" "), lines: [] };
      },
    }),
    [number, attempt],
  );
  /** @param {number} to */
  const go = (to) => {
    setNumber(to);
    setAttempt(attempt + 1);
    setAnswer(null);
    setChosen("");
  };
  const next = () => go(number + 1);
  const again = () => go(number);
  useLayoutEffect(() => {
    // The button that was pressed is gone: move the focus to what is read next.
    if (attempt > 1 || answer) talk.current?.focus({ preventScroll: true });
    if (answer) talk.current?.scrollIntoView({ block: "nearest" });
  }, [answer, number]);
  useKeys(!answer, (key) => {
    if (key !== "Enter") return false;
    if (answer?.right) next();
    else again();
    return true;
  });
  const play = async () => {
    setBusy(true);
    try {
      navigate(
        `/match/${await openMatch({ ruleset, opponent: { level: lesson.opponent }, seat: "red" })}`,
      );
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  return html`<div class="lesson" data-lesson=${game} data-round=${round ? number : "end"}>
    <header class="row between">
      <h1>Learn ${lesson.title} in ${counted(rounds.length, "round")}</h1>
      <div class="row">
        <${Dots} rounds=${rounds} number=${number} isDone=${Boolean(answer?.right)} />
        ${
          round &&
          html`<button type="button" class="btn quiet" data-skip disabled=${isBusy} onClick=${play}>
            Skip and play
          </button>`
        }
      </div>
    </header>
    ${
      round
        ? html`<div class="two">
          <${Board} picture=${answer?.picture ?? round.picture} label="Board" />
          <div class="talk">
            <section
              class="card say ${answer ? (answer.right ? "right" : "wrong") : ""}"
              aria-label="Round ${number}"
              tabindex="-1"
              ref=${talk}
              data-told=${answer ? (answer.right ? "right" : "wrong") : ""}
            >
              <h2>Round ${number}: ${uncapitalised(round.title)}</h2>
              ${answer ? html`<${Told} answer=${answer} chosen=${chosen} round=${round} />` : html`<${Task} round=${round} />`}
              <${Problem} error=${problem} />
              ${
                answer &&
                html`<div class="row">
                  ${
                    answer.right
                      ? html`<button type="button" class="btn main big" data-next onClick=${next}>
                          ${number < rounds.length ? "Next round" : "Finish"}
                          <kbd aria-hidden="true">Enter</kbd>
                        </button>`
                      : html`<button type="button" class="btn main big" data-again onClick=${again}>
                            Try again<kbd aria-hidden="true">Enter</kbd>
                          </button>
                          <button type="button" class="btn quiet" data-next onClick=${next}>
                            Go on
                          </button>`
                  }
                </div>`
              }
            </section>
            ${
              !answer &&
              html`<${Choices}
              match=${chooser}
              menu=${round.menu}
              chosen=${null}
              isWhatIf=${false}
              isDisabled=${isBusy}
            />`
            }
          </div>
        </div>`
        : html`<${End} lesson=${lesson} isBusy=${isBusy} problem=${problem} onPlay=${play} onAgain=${() => go(1)} focused=${talk} />`
    }
  </div>`;
}

/** @param {{ rounds: unknown[], number: number, isDone: boolean }} props */
function Dots({ rounds, number, isDone }) {
  return html`<span class="dots" role="img" aria-label="Round ${Math.min(number, rounds.length)} of ${rounds.length}">
    ${rounds.map(
      (_, place) =>
        html`<i class=${place + 1 < number || (place + 1 === number && isDone) ? "on" : ""}></i>`,
    )}
  </span>`;
}

/** @param {{ round: import("../types.js").LessonRound }} props */
function Task({ round }) {
  return html`<p>${round.task}</p>
    <p class="seats small">
      <span class="seat red"><${SeatSign} seat="red" />You are Red</span>
      ${
        round.reply !== null &&
        html`<span class="seat blue">
        <${SeatSign} seat="blue" />Blue will choose${" "}
        <b>${choiceText(round.reply, round.reply_label ?? undefined)}</b>
      </span>`
      }
    </p>`;
}

/** @param {{ answer: LessonAnswer, chosen: string, round: import("../types.js").LessonRound }} props */
function Told({ answer, chosen, round }) {
  return html`<p class="seats">
      <span class="seat red">
        <${SeatSign} seat="red" />You: <b>${choiceText(chosen, answer.labels.red)}</b>
      </span>
      ${
        round.reply !== null &&
        html`<span class="seat blue">
        <${SeatSign} seat="blue" />Blue: <b>${choiceText(round.reply, answer.labels.blue)}</b>
      </span>`
      }
    </p>
    <p class="story" role="status">
      <${Icon} name=${answer.right ? "check" : "close"} />
      <span>
        <b class="sr">${answer.right ? "Right." : "Not this one."}</b>
        ${[...answer.story, answer.ending].join(" ")}
      </span>
    </p>
    <p>${answer.right ? "" : html`<b>Not the best here.</b> `}${answer.why}</p>`;
}

/**
 * @param {{
 *   lesson: Lesson, isBusy: boolean, problem: string, onPlay: () => void, onAgain: () => void,
 *   focused: any,
 * }} props
 */
function End({ lesson, isBusy, problem, onPlay, onAgain, focused }) {
  const { title, rounds, opponent, game_name: game } = lesson;
  return html`<section class="card say end" tabindex="-1" ref=${focused} data-end>
    <h2>You know how ${title} works</h2>
    <ul>
      ${rounds.map((round) => html`<li><${Icon} name="check" />${round.title}</li>`)}
    </ul>
    <p>
      In a real duel nobody announces a choice. Play a first match against the computer
      (${opponent}).
    </p>
    <div class="row">
      <button type="button" class="btn main big" data-play disabled=${isBusy} onClick=${onPlay}>
        <${Icon} name="play" />Play a first match
      </button>
      <a class="btn" href="/rules/${encodeURIComponent(game)}">Read the rules</a>
      <button type="button" class="btn quiet" onClick=${onAgain}>Lesson again</button>
      <a class="btn quiet" href="/learn">Other games</a>
    </div>
    <${Problem} error=${problem} />
  </section>`;
}
