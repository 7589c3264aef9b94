/**
 * @file The shapes of the live protocol (docs/live-protocol.md), for the type checker. There is
 * nothing to run in this file.
 *
 * @typedef {"red" | "blue"} Seat
 *
 * @typedef {object} SeatedPlayer
 * @property {string} name
 * @property {"guest" | "account" | "level" | "bot" | "record"} kind
 * @property {number | null} rating
 * @property {boolean} provisional
 *
 * @typedef {Record<Seat, SeatedPlayer | null>} Players
 *
 * @typedef {object} Option
 * @property {string} word
 * @property {string} [label]
 * @property {string} key
 * @property {string} note
 *
 * @typedef {object} Part
 * @property {string} label
 * @property {{ value: string, label: string }[]} [values]
 * @property {number} [least]
 * @property {number} [most]
 * @property {number[]} [listed]
 *
 * @typedef {object} Verb
 * @property {string} word
 * @property {string} label
 * @property {string} key
 * @property {Part[]} parts
 *
 * @typedef {object} Menu
 * @property {"cards" | "dials" | "parts"} controls
 * @property {Option[]} options
 * @property {[string, string]} [axes]
 * @property {string[]} [rows]
 * @property {string[]} [columns]
 * @property {Verb[]} [verbs]
 *
 * @typedef {object} Round
 * @property {number} game
 * @property {number} round
 * @property {string | null} red
 * @property {string | null} blue
 * @property {Partial<Record<Seat, string>>} labels the choices for people
 * @property {string} chance_text
 * @property {string[]} story
 * @property {Seat[]} [late]
 *
 * @typedef {object} FinishedGame
 * @property {number} number
 * @property {Seat | null} winner
 * @property {string} reason
 * @property {string} ending
 * @property {number} rounds
 *
 * @typedef {object} View
 * @property {string} match
 * @property {number} version
 * @property {"open" | "playing" | "over" | "cancelled"} status
 * @property {"lobby" | "link" | "solo" | "uploaded"} visibility
 * @property {string} ruleset
 * @property {string} game_name
 * @property {string} title
 * @property {Seat | null} you
 * @property {Players} players
 * @property {boolean | null} rated null: it depends on who joins
 * @property {string | null} unrated
 * @property {{ seconds: number | null, on_timeout: "lose" | "harmless" }} time
 * @property {number} wins_needed
 * @property {string | null} start
 * @property {Record<Seat, number>} score
 * @property {number} draws
 * @property {FinishedGame[]} games
 * @property {number} game
 * @property {number} round
 * @property {string} [picture]
 * @property {{ game: number, picture: string } | null} [previous]
 * @property {Seat[]} asked
 * @property {Seat[]} waiting_for
 * @property {number | null} deadline
 * @property {number} now
 * @property {Menu | null} menu
 * @property {string | null} chosen
 * @property {Seat[]} draw_offered_by
 * @property {{ offered_by: Seat[], match: string | null }} rematch
 * @property {{ winner: Seat | null, reason: string, sentence: string } | null} outcome
 * @property {Record<Seat, [number, number]> | null} rating_changes before and after
 * @property {Round[]} rounds
 * @property {{ commitment: string, seed: string | null, salt: string | null } | null} seal
 * @property {number} watching
 * @property {number | null} kept_days of an upload, after somebody last looked at it
 * @property {Partial<Record<Seat, string>>} notes
 *
 * @typedef {object} MatchSummary A line in the lobby, in a list of matches or in a history.
 * @property {string} match
 * @property {View["status"]} status
 * @property {View["visibility"]} visibility
 * @property {string} ruleset
 * @property {string} game_name
 * @property {string} title
 * @property {Seat | null} [you]
 * @property {Record<Seat, { name: string, kind: SeatedPlayer["kind"] } | null>} players
 * @property {boolean | null} rated null: it depends on who joins
 * @property {number | null} seconds
 * @property {number} wins_needed
 * @property {Record<Seat, number>} score
 * @property {number} rounds of all games
 * @property {Seat | null} winner
 * @property {string | null} reason
 * @property {Seat[]} [waiting_for]
 * @property {Seat[]} [present] seats whose players are there, in a live duel
 * @property {number | null} deadline
 * @property {number} created_at
 * @property {number | null} updated_at
 *
 * @typedef {object} Lobby
 * @property {MatchSummary[]} open
 * @property {MatchSummary[]} live
 * @property {MatchSummary[]} [yours]
 *
 * @typedef {object} Frame A game of a match after one of its rounds.
 * @property {number} game
 * @property {number} round
 * @property {string} picture
 *
 * @typedef {object} GameDescription A game of the catalogue.
 * @property {string} name
 * @property {string} title
 * @property {string} line
 * @property {number} wins_needed
 * @property {string} opponent
 * @property {Record<string, Record<Seat, number>>} prospects percent that best play scores
 * @property {Record<string, number>} ratings Elo of levels, as measured
 * @property {Record<string, { default: number, range: [number, number], meaning: string }>} rules
 *
 * @typedef {object} Catalogue
 * @property {GameDescription[]} games
 * @property {{ name: string, line: string, for_people: boolean }[]} levels
 * @property {{ name: string }[]} bots
 *
 * @typedef {object} Rating
 * @property {number} rating
 * @property {number} deviation
 * @property {boolean} provisional
 * @property {number} matches
 *
 * @typedef {object} Me
 * @property {string | null} name
 * @property {boolean} guest
 * @property {Record<string, Rating>} ratings
 *
 * @typedef {object} ForecastLine
 * @property {string} against
 * @property {string} odds
 * @property {string} result
 *
 * @typedef {object} Forecast
 * @property {string} note
 * @property {ForecastLine[]} lines
 *
 * @typedef {object} PuzzleRating
 * @property {number} rating
 * @property {number} deviation
 * @property {boolean} provisional
 * @property {number} attempts
 * @property {number} solved
 *
 * @typedef {object} PuzzleList
 * @property {{ name: string, title: string, puzzles: number, note: string }[]} games
 * @property {string | null} daily
 * @property {Record<string, PuzzleRating>} ratings
 *
 * @typedef {object} JudgedChoice
 * @property {string} word
 * @property {string} label
 * @property {number} share in the equilibrium mix
 *
 * @typedef {JudgedChoice & { worth: number, cost: number, right: boolean }} OwnJudgedChoice
 *
 * @typedef {object} PuzzleResult
 * @property {string | Record<string, number>} answer
 * @property {boolean} solved
 * @property {number} cost
 * @property {number} value
 * @property {string | null} natural
 * @property {string | null} reply
 * @property {string[]} story
 * @property {OwnJudgedChoice[]} choices
 * @property {JudgedChoice[]} replies
 * @property {{ before: number, after: number } | null} rating
 * @property {{ before: number, after: number } | null} puzzle_rating
 *
 * @typedef {object} Puzzle
 * @property {string} puzzle
 * @property {string} game_name
 * @property {string} title
 * @property {string} ruleset
 * @property {"choice" | "mix"} kind
 * @property {Seat} seat
 * @property {string} question
 * @property {number} right_count
 * @property {number} tolerance
 * @property {"table" | "duel"} source
 * @property {number} rating
 * @property {boolean} provisional
 * @property {number} attempts
 * @property {number} solved
 * @property {string} text the state as short text
 * @property {string} picture
 * @property {Menu} menu
 * @property {PuzzleResult | null} result
 *
 * @typedef {object} MatchRequest
 * @property {string} ruleset
 * @property {"link" | "lobby" | { level: string } | { bot: string }} opponent
 * @property {Seat | "random"} [seat]
 * @property {number | null} [seconds]
 * @property {"lose" | "harmless"} [on_timeout]
 * @property {number} [wins_needed]
 * @property {string} [start] the state that the games begin in, as short text
 *
 * @typedef {object} ExploredRound
 * @property {string} word in a line of play
 * @property {string | null} red
 * @property {string | null} blue
 * @property {Partial<Record<Seat, string>>} labels
 * @property {string} chance_text
 * @property {string[]} story
 *
 * @typedef {ExploredRound & { odds: string, share: number, text: string }} ExploredResult
 *
 * @typedef {object} FormField A number of a state.
 * @property {string} path
 * @property {Seat | null} seat
 * @property {string} label
 * @property {number} value
 * @property {number} least
 * @property {number} most
 * @property {boolean} is_flag
 * @property {string[] | null} words for each value from `least` on
 *
 * @typedef {object} Position A position to explore.
 * @property {string} ruleset
 * @property {string} game_name
 * @property {string} title
 * @property {string} start
 * @property {boolean} is_usual_start
 * @property {ExploredRound[]} line
 * @property {number} at
 * @property {string} text
 * @property {string | null} mirrored
 * @property {string} picture
 * @property {FormField[]} fields
 * @property {Record<Seat, Menu | null>} menus
 * @property {{ winner: Seat | null, reason: string, sentence: string } | null} outcome
 *
 * @typedef {object} Advice What the coach says of a choice before it is made.
 * @property {string} choice
 * @property {boolean} is_warning
 * @property {number} error
 * @property {string | null} mark
 * @property {boolean} exact
 * @property {string} sentence
 *
 * @typedef {object} Explanation What the coach says of a round after its reveal.
 * @property {string} sentence
 * @property {string[]} details
 * @property {string | null} mark
 * @property {number} error
 * @property {boolean} exact
 *
 * @typedef {object} AnalysedRound
 * @property {number} round
 * @property {string | null} red
 * @property {string | null} blue
 * @property {number} value_before
 * @property {number} value_after
 * @property {number} red_error
 * @property {number} blue_error
 * @property {number} meeting_luck
 * @property {number} dice_luck
 * @property {string | null} red_mark
 * @property {string | null} blue_mark
 * @property {Record<string, number>} red_mix
 * @property {Record<string, number>} blue_mix
 * @property {Record<Seat, Record<string, number>>} cost
 * @property {Record<Seat, Record<string, string>>} labels
 * @property {string} text the state before the round, as short text
 * @property {{ win: number | null, draw: number | null, loss: number | null }} chances
 * @property {boolean} exact of the values before and after the round
 * @property {boolean} errors_exact of errors and luck
 * @property {boolean} worths_exact of worths, costs and mixes
 * @property {number} depth
 *
 * @typedef {object} Analysis What a finished game was worth to red.
 * @property {string} ruleset
 * @property {Record<Seat, string>} players
 * @property {boolean} exact of all values
 * @property {boolean} errors_exact of all errors and luck
 * @property {string} source
 * @property {number} depth
 * @property {number} start_value
 * @property {number} end_value
 * @property {number | null} result
 * @property {string | null} reason
 * @property {Record<Seat, number | null>} accuracy null where worths are estimates
 * @property {string[]} summary
 * @property {{ round: number, seat: Seat, mark: string, cost: number, sentence: string }[]} turning_points
 * @property {AnalysedRound[]} rounds
 * @property {Record<"red_error" | "blue_error" | "meeting_luck" | "dice_luck" | "ending", number>} totals
 *
 * @typedef {object} Situation The rounds of one kind of situation.
 * @property {string} situation
 * @property {string[]} choices
 * @property {number} rounds
 * @property {Record<string, number>} frequencies
 * @property {Record<string, number>} equilibrium
 * @property {number} error
 * @property {number | null} gain
 * @property {number | null} gain_by_chance
 * @property {number | null} gain_limit
 *
 * @typedef {object} PlayerTendencies How a player chose over several games.
 * @property {string} player
 * @property {number} rounds
 * @property {Situation[]} kinds
 *
 * @typedef {object} Tendencies
 * @property {Record<Seat, PlayerTendencies>} players
 *
 * @typedef {object} Worth What a position is worth to red.
 * @property {number} value
 * @property {number | null} win
 * @property {number | null} draw
 * @property {number | null} loss
 * @property {number} low
 * @property {number} high
 * @property {boolean} exact
 * @property {boolean} worths_exact of worths, costs and the matrix
 * @property {string} source
 * @property {number} depth
 * @property {Record<string, number>} red_mix
 * @property {Record<string, number>} blue_mix
 * @property {Record<Seat, Record<string, number>>} worth
 * @property {Record<Seat, Record<string, number>>} cost
 * @property {Record<Seat, Record<string, string>>} labels
 * @property {{ red: (string | null)[], blue: (string | null)[], values: number[][] } | null} matrix
 * @property {string} note
 */
export {};
