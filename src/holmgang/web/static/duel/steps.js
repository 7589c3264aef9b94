/**
 * @file What one step of a duel is called. Usually it is a round, in which both choose; where the
 * seats take turns it is a move, and a round is over when it is the first seat's turn again.
 */

/** @typedef {import("../types.js").Seat} Seat */
/** @typedef {{ red: string | null, blue: string | null }} Step the choice of each seat, if it had one */

/**
 * @param {Step[]} rounds
 * @param {Seat[]} [asked] the seats that choose in the open round
 */
const takesTurns = (rounds, asked = []) =>
  asked.length < 2 && rounds.every(({ red, blue }) => red === null || blue === null);

/** "round" or "move". @param {Step[]} rounds @param {Seat[]} [asked] */
export const stepWord = (rounds, asked) => (takesTurns(rounds, asked) ? "move" : "round");

/** The word in a match that is played or over. @param {import("../types.js").MatchView} view */
export const stepWordOf = ({ rounds, asked }) => stepWord(rounds, asked);

/** The number of the open round, or of the last one. @param {import("../types.js").MatchView} view */
export function roundNumber({ round, rounds, asked }) {
  if (!takesTurns(rounds, asked)) return round;
  const seats = [...rounds.map(({ red }) => (red === null ? "blue" : "red")), ...asked];
  return 1 + seats.filter((seat, at) => at && seat === seats[0] && seat !== seats[at - 1]).length;
}
