/**
 * Whose words an answer has. Turns that run at once each carry letters of an alphabet that no other of them has, drawn
 * at random: letters of another turn in an answer have come from there, however finely they are mixed with its own.
 */
import type { Judgement } from '../../scenario/judgement.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { excerpt } from '../../assertions/excerpt.ts'
import { broken, every, given, notApplicable, pass } from '../../scenario/expect.ts'
import { fieldOf } from '../../assertions/reply.ts'
import { events, streamed } from './streams/stream.ts'
import { asked, replied } from '../../assertions/turn.ts'

export const alphabets = [
  'αβγδεζηθικλμνξοπρστυφχψω',
  'бвгджзиклмнпртуфхцчшщэюя',
  'აბგდევზთიკლმნოპჟრსტუფქღყ',
  'աբգդեզըթժիլխծկհձղճմյնշոչ',
] as const

const wordLength = 12
/** So many letters in a row are not met by chance. */
const telling = 8
const astral = '🦊'

/** Two words of random letters, with a sign beyond the basic plane between them. */
export function markedText(alphabet: string, pick: (below: number) => number): string {
  const word = (): string =>
    Array.from({ length: wordLength }, () => alphabet[pick(alphabet.length)]).join('')
  return word() + astral + word()
}

const lettersOf = (text: string, alphabet: string): string =>
  Array.from(text.toLowerCase())
    .filter((sign) => alphabet.includes(sign))
    .join('')

/** The letters of each alphabet that a turn was sent. */
const sentLetters = (turn: Exchange): readonly string[] =>
  alphabets.map((alphabet) => lettersOf(String(asked(turn)?.['message']), alphabet))

/** Whether a text has these letters, but for what is in `own` as well: the words around may be of one of the alphabets. */
function carries(text: string, alphabet: string, letters: string, own: string): boolean {
  const found = lettersOf(text, alphabet)
  const starts = Array.from({ length: Math.max(0, letters.length - telling + 1) }, (_, at) => at)
  return starts.some((at) => {
    const part = letters.slice(at, at + telling)
    return found.includes(part) && !own.includes(part)
  })
}

/** What an answer says repeats the letters of its own message, and of none of the others. */
function ownWords(turn: Exchange, text: string, turns: readonly Exchange[]): Judgement {
  const own = sentLetters(turn)
  const carried = (one: Exchange): boolean =>
    sentLetters(one).some((letters, at) =>
      carries(text, alphabets[at] ?? '', letters, one.id === turn.id ? '' : (own[at] ?? '')),
    )
  const other = turns.find((one) => one.id !== turn.id && carried(one))
  if (other)
    return broken(
      `words of \`${turn.name}\` (exchange ${turn.id})`,
      `those of ${other.id}: ${excerpt(text)}`,
      turn,
    )
  return carried(turn)
    ? pass
    : notApplicable('an answer does not repeat its message; declare `fixtures.echo`')
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const responseOf = (turn: Exchange): string => textOf(fieldOf(turn, 'response'))
const tokensOf = (turn: Exchange): string =>
  events(turn, 'token')
    .map(({ token }) => textOf(token))
    .join('')

/** Each of these replies answers its own message, whatever else was under way. */
export function ownReplies(of: readonly Exchange[], turns: readonly Exchange[]): Judgement {
  return given(every(turns, replied), () => every(of, (turn) => ownWords(turn, responseOf(turn), turns)))
}

/** The tokens of each of these streams are parts of its own reply. */
export function ownTokens(of: readonly Exchange[], turns: readonly Exchange[]): Judgement {
  return given(every(of, streamed), () => every(of, (turn) => ownWords(turn, tokensOf(turn), turns)))
}

/**
 * A sign beyond the basic plane comes back. Another sign in its place is the service's doing only where the same came
 * back whole in a stream.
 */
export function keepsAstral(of: readonly Exchange[], streams: readonly Exchange[]): Judgement {
  const whole = streams.some((turn) => responseOf(turn).includes(markOf(turn, astral)))
  return every(of, (turn) => {
    const response = responseOf(turn)
    if (response.includes(markOf(turn, astral))) return pass
    const instead = ['?', '??', '\uFFFD', '\uFFFD\uFFFD'].find((sign) =>
      response.includes(markOf(turn, sign)),
    )
    return whole && instead !== undefined
      ? broken(`the text ${markOf(turn, astral)}`, excerpt(response), turn)
      : notApplicable('an answer does not repeat its message; declare `fixtures.echo`')
  })
}

/** The two words of a turn around another sign. */
function markOf(turn: Exchange, sign: string): string {
  const letters = sentLetters(turn).find(({ length }) => length === 2 * wordLength) ?? ''
  return letters.slice(0, wordLength) + sign + letters.slice(wordLength)
}
