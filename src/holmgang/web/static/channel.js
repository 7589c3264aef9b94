/**
 * @file A WebSocket that reconnects by itself.
 *
 * After a loss it reconnects, at once and then with growing pauses. Commands wait until the server
 * has answered them, and are sent again after each reconnection. The server knows their ids, so a
 * command that was carried out before the loss has no further effect.
 */
import { signal } from "@preact/signals";
import { Refusal } from "./api.js";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2500;
/** If a command or a question is unanswered for this long, the connection is considered dead. */
const PATIENCE_MS = 8000;
/** Interval at which a silent connection is checked. */
const QUIET_MS = 25000;

/**
 * @typedef {object} Unanswered
 * @property {Record<string, unknown>} command
 * @property {number} sentAt
 * @property {() => void} done
 * @property {(refused: Refusal) => void} refused
 */

export class Channel {
  /** `connecting` at first, then `open` or `lost`. */
  state = signal(/** @type {"connecting" | "open" | "lost"} */ ("connecting"));

  /** @type {WebSocket | null} */
  #socket = null;
  #path;
  #onFrame;
  #canAsk;
  #isClosed = false;
  #failures = 0;
  #heardAt = 0;
  /** @type {number | undefined} */
  #retry;
  #watch;
  /** @type {Map<string, Unanswered>} */
  #unanswered = new Map();

  /**
   * @param {string} path of the socket on this host
   * @param {(frame: any) => void} onFrame is given every frame but answers to commands
   * @param {{ canAsk?: boolean }} [how] whether the server answers commands on this socket
   */
  constructor(path, onFrame, { canAsk = true } = {}) {
    this.#path = path;
    this.#onFrame = onFrame;
    this.#canAsk = canAsk;
    this.#watch = setInterval(() => this.#check(), 1000);
    addEventListener("online", this.#hurry);
    document.addEventListener("visibilitychange", this.#hurry);
    this.#connect();
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    clearInterval(this.#watch);
    removeEventListener("online", this.#hurry);
    document.removeEventListener("visibilitychange", this.#hurry);
    const socket = this.#socket;
    // Closing a socket before it is open makes the browser log an error on the console.
    if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket?.close();
  }

  /**
   * Sends a command and waits for its answer, however often the connection is lost meanwhile.
   * Throws `Refusal`.
   *
   * @param {Record<string, unknown>} command without its id
   * @returns {Promise<void>}
   */
  send(command) {
    const id = newId();
    return new Promise((done, refused) => {
      const whole = { ...command, id };
      const waiting = { command: whole, sentAt: Date.now(), done, refused };
      this.#unanswered.set(id, waiting);
      if (this.state.value === "open") this.#transmit(waiting);
    });
  }

  #connect() {
    if (this.#isClosed) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${this.#path}`);
    this.#socket = socket;
    this.#heardAt = Date.now();
    socket.onmessage = (message) => {
      if (socket === this.#socket) this.#hear(message.data);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#lose();
    };
  }

  /** @param {string} text */
  #hear(text) {
    this.#heardAt = Date.now();
    const frame = JSON.parse(text);
    // The server is about to close the connection; what it says is not about a command.
    if (frame.type === "stopping" || (frame.type === "refused" && frame.id === null)) return;
    this.#failures = 0;
    if (this.state.value !== "open") {
      this.state.value = "open";
      for (const waiting of this.#unanswered.values()) this.#transmit(waiting);
    }
    const waiting = this.#unanswered.get(frame.id);
    if (frame.type === "done") {
      this.#unanswered.delete(frame.id);
      waiting?.done();
    } else if (frame.type === "refused" && frame.error?.code !== "stopping") {
      this.#unanswered.delete(frame.id);
      waiting?.refused(new Refusal(frame.error.code, frame.error.message));
    } else if (frame.type !== "refused") {
      this.#onFrame(frame);
    }
  }

  #lose() {
    this.#socket = null;
    if (this.#isClosed) return;
    this.state.value = "lost";
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures);
    this.#failures += 1;
    // Random, so that not all clients reconnect at the same moment when a server restarts.
    this.#retry = setTimeout(() => this.#connect(), pause * (0.5 + Math.random() / 2));
  }

  /** Gives up on a connection that no longer answers, without waiting for the network to say so. */
  #drop() {
    const socket = this.#socket;
    this.#lose();
    socket?.close();
  }

  #check() {
    if (this.#socket === null) return;
    const now = Date.now();
    const [oldest] = this.#unanswered.values();
    const isWaiting = this.state.value !== "open" || oldest !== undefined;
    const since = this.state.value === "open" && oldest ? oldest.sentAt : this.#heardAt;
    if (isWaiting && now - since > PATIENCE_MS) this.#drop();
    else if (!isWaiting && this.#canAsk && now - this.#heardAt > QUIET_MS) this.#ask();
  }

  /** Asks for the view, which also shows whether the connection still works. */
  #ask() {
    this.send({ type: "sync" }).catch(() => {});
  }

  #hurry = () => {
    if (document.visibilityState !== "visible" || this.#isClosed) return;
    if (this.#socket === null) {
      clearTimeout(this.#retry);
      this.#failures = 0;
      this.#connect();
    } else if (this.#canAsk && this.state.value === "open" && this.#unanswered.size === 0) {
      this.#ask();
    }
  };

  /** @param {Unanswered} waiting */
  #transmit(waiting) {
    waiting.sentAt = Date.now();
    if (this.#socket?.readyState === WebSocket.OPEN) {
      this.#socket.send(JSON.stringify(waiting.command));
    }
  }
}

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return Array.from(bytes, (byte) => byte.toString(36).padStart(2, "0")).join("");
}
