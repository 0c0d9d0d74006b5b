/**
 * Judges whether concurrent turns mix their texts. Each carries random letters of an alphabet that no other turn
 * uses, so letters of another turn in a response prove a leak, however finely they are mixed with its own.
 */
import type { Judgement } from '../../scenario/scenario.ts'
import { type Exchange, excerpt } from '../../wire/exchange.ts'
import { fail, every, given, notApplicable, pass, check } from '../../scenario/expect.ts'
import { fieldOf, field } from '../../assertions/reply.ts'
import { wholeStream } from './streams/stream.ts'
import { tokenText } from './streams/stream-events.ts'
import { asked, replied, conversationOf } from '../../assertions/turn.ts'

export const alphabets = [
  'αβγδεζηθικλμνξοπρστυφχψω',
  'бвгджзиклмнпртуфхцчшщэюя',
  'აბგდევზთიკლმნოპჟრსტუფქღყ',
  'աբգդեզըթժիլխծկհձղճմյնշոչ',
] as const

const wordLength = 12
/** This many letters in a row do not occur by chance. */
const leastLetters = 8
const astral = '🦊'

/** Two words of random letters, with a character beyond the basic plane between them. */
export function markedText(alphabet: string, pick: (below: number) => number): string {
  const word = (): string =>
    Array.from({ length: wordLength }, () => alphabet[pick(alphabet.length)]).join('')
  return word() + astral + word()
}

const lettersOf = (text: string, alphabet: string): string =>
  Array.from(text.toLowerCase())
    .filter((sign) => alphabet.includes(sign))
    .join('')

const sentLetters = (turn: Exchange): readonly string[] =>
  alphabets.map((alphabet) => lettersOf(String(asked(turn)?.['message']), alphabet))

/** Whether a text has these letters outside `own`: other words may share an alphabet. */
function carries(text: string, alphabet: string, letters: string, own: string): boolean {
  const found = lettersOf(text, alphabet)
  const starts = Array.from({ length: Math.max(0, letters.length - leastLetters + 1) }, (_, at) => at)
  return starts.some((at) => {
    const part = letters.slice(at, at + leastLetters)
    return found.includes(part) && !own.includes(part)
  })
}

const wanted = (turn: Exchange): unknown => asked(turn)?.['conversation_id']

/** A reply may take up what else was said in its conversation. */
const isOfAnother = (one: Exchange, turn: Exchange): boolean =>
  one.id !== turn.id && (wanted(one) === undefined || wanted(one) !== wanted(turn))

/** A response repeats the letters of its own message, and none of those sent to other conversations. */
function ownWords(turn: Exchange, text: string, turns: readonly Exchange[]): Judgement {
  const own = sentLetters(turn)
  const carried = (one: Exchange): boolean =>
    sentLetters(one).some((letters, at) =>
      carries(text, alphabets[at] ?? '', letters, one.id === turn.id ? '' : (own[at] ?? '')),
    )
  const other = turns.find((one) => isOfAnother(one, turn) && carried(one))
  if (other)
    return fail(
      `words of \`${turn.name}\` (exchange ${turn.id})`,
      `those of ${other.id}: ${excerpt(text)}`,
      turn,
    )
  return carried(turn)
    ? pass
    : notApplicable('an answer does not repeat its message; declare `fixtures.echo`')
}

function responseOf(turn: Exchange): string {
  const response = fieldOf(turn, 'response')
  return typeof response === 'string' ? response : ''
}

export function ownReplies(of: readonly Exchange[], turns: readonly Exchange[]): Judgement {
  return given(every(turns, replied), () => every(of, (turn) => ownWords(turn, responseOf(turn), turns)))
}

/** The tokens of each of these streams are parts of its own reply. */
export function ownTokens(of: readonly Exchange[], turns: readonly Exchange[]): Judgement {
  return given(every(of, wholeStream), () => every(of, (turn) => ownWords(turn, tokenText(turn), turns)))
}

/**
 * A character beyond the basic plane is returned unchanged. Another character in its place fails only if a stream
 * returned the same one unchanged.
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
      ? fail(`the text ${markOf(turn, astral)}`, excerpt(response), turn)
      : notApplicable('an answer does not repeat its message; declare `fixtures.echo`')
  })
}

/** The two words of a turn around another character. */
function markOf(turn: Exchange, sign: string): string {
  const letters = sentLetters(turn).find(({ length }) => length === 2 * wordLength) ?? ''
  return letters.slice(0, wordLength) + sign + letters.slice(wordLength)
}

export function inItsOwn(turn: Exchange): Judgement {
  return given(field(turn, 'conversation_id', 'string'), () => {
    const [expected, got] = [String(wanted(turn)), String(conversationOf(turn))]
    return check(expected === got, `the conversation ${expected}`, got, turn)
  })
}

export function newConversations(turns: readonly Exchange[]): Judgement {
  return given(
    every(turns, (turn) => field(turn, 'conversation_id', 'string')),
    () => {
      const byId = Map.groupBy(turns, conversationOf)
      return every(turns, (turn) => {
        const same = byId.get(conversationOf(turn))?.length
        return check(
          same === 1,
          'a conversation of its own',
          `${conversationOf(turn)} for ${same} of them`,
          turn,
        )
      })
    },
  )
}
