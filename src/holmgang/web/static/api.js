/** @file Requests to the server: JSON over HTTP. */

/** A request that the server refused, or that did not reach it (`offline`). */
export class Refusal extends Error {
  /**
   * @param {string} code as in docs/live-protocol.md, or `offline`
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/**
 * The body of the answer. Throws `Refusal`.
 *
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body] sent as JSON; a string is sent as it is
 * @returns {Promise<any>}
 */
export async function request(method, path, body) {
  const isText = typeof body === "string";
  /** @type {Response} */
  let response;
  try {
    response = await fetch(path, {
      method,
      headers:
        body === undefined ? {} : { "Content-Type": isText ? "text/plain" : "application/json" },
      body: body === undefined ? undefined : isText ? body : JSON.stringify(body),
    });
  } catch {
    throw new Refusal(
      "offline",
      "The server cannot be reached. Check the connection and try again.",
    );
  }
  const isJson = response.headers.get("Content-Type")?.includes("json");
  const answer = isJson ? await response.json().catch(() => null) : await response.text();
  if (response.ok) return answer;
  const error = answer?.error;
  throw new Refusal(
    error?.code ?? String(response.status),
    error?.message ?? `The server answered with status ${response.status}.`,
  );
}

/** @param {string} path */
export const get = (path) => request("GET", path);

/**
 * @param {string} path
 * @param {unknown} [body]
 */
export const post = (path, body = {}) => request("POST", path, body);

/**
 * The message of an error as a sentence; in the protocol it begins in lower case.
 *
 * @param {unknown} error
 */
export function messageOf(error) {
  const message = error instanceof Error ? error.message : String(error);
  const sentence = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}
