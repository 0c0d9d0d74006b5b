/** The stream of an ordinary turn: its framing, its `done`, and refusals before it begins. */
import type { ClauseId } from '../../../spec/index.ts'
import { scenario, type Judge, type Driver, type Judgement } from '../../scenario/scenario.ts'
import { flatError, jsonTyped, status } from '../../assertions/answer.ts'
import { all, every, given } from '../../scenario/expect.ts'
import { notMarkedPaused } from '../../assertions/paused.ts'
import { noPresentation } from '../assertions/presentation.ts'
import { everyRefusal, notReceipt, refusedAsJson } from '../assertions/refusal.ts'
import { field } from '../../assertions/reply.ts'
import {
  cleanEnd,
  closesSoon,
  ended,
  notEncoded,
  streamCharset,
  wholeStream,
  streamType,
} from '../assertions/streams/stream.ts'
import {
  agreed,
  dataJson,
  dataPrefix,
  dataType,
  finalBlank,
  knownLines,
  separated,
  utf8,
  wellFramed,
} from '../assertions/streams/stream-lines.ts'
import {
  nothingAfter,
  notInjected,
  oneTerminal,
  tokens,
  tokensJoin,
} from '../assertions/streams/stream-events.ts'
import { confirmed, replied } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { scriptNames, textOfScript } from '../requests/multilingual.ts'

export const streamedTurn = scenario({
  title: 'a streamed turn is framed as the contract shows and ends with the whole reply',
  exchanges: ['turn'],
  cost: { requests: 1, turns: 1 },
  profile: 'smoke',
  async run(t) {
    // Longer than the five seconds in which the stream has to close, whatever timeout the target has otherwise.
    const timeouts = { leastMs: 12_000 }
    await t.chat('turn', { stream: true, message: `Say goodbye. ${t.text(47)}`, timeouts })
  },
  judge: {
    'SSE-CONTENT-TYPE': ({ turn }) => streamType(turn),
    'SSE-CHARSET': ({ turn }) => streamCharset(turn),
    'SSE-ENCODING': ({ turn }) => notEncoded(turn),
    'SSE-CLEAN-END': ({ turn }) => cleanEnd(turn),
    'SSE-UTF8': ({ turn }) => utf8(turn),
    'SSE-FIELDS': ({ turn }) => knownLines(turn),
    'SSE-DATA-PREFIX': ({ turn }) => dataPrefix(turn),
    'SSE-DATA-JSON': ({ turn }) => dataJson(turn),
    'SSE-DATA-TYPE': ({ turn }) => dataType(turn),
    'SSE-SEPARATED': ({ turn }) => agreed(turn, separated(turn)),
    'SSE-FINAL-BLANK': ({ turn }) => agreed(turn, finalBlank(turn)),
    'SSE-TOKEN': ({ turn }) => tokens(turn),
    'SSE-DONE-RESPONSE': ({ turn }) => atTheEnd(turn, field(turn, 'response', 'string')),
    'SSE-DONE-CONVERSATION': ({ turn }) => atTheEnd(turn, field(turn, 'conversation_id', 'uuid')),
    'SSE-DONE-CREDITS-USED': ({ turn }) => atTheEnd(turn, field(turn, 'credits_used', 'number')),
    'SSE-DONE-CREDITS-REMAINING': ({ turn }) => atTheEnd(turn, field(turn, 'credits_remaining', 'number')),
    'SSE-DONE-FILLED': ({ turn }) =>
      given(field(turn, 'response', 'string'), () =>
        atTheEnd(turn, field(turn, 'response', 'filled string')),
      ),
    'SSE-DONE-NO-EXTRAS': ({ turn }) =>
      given(replied(turn), () => atTheEnd(turn, all(noPresentation(turn), notMarkedPaused(turn)))),
    'SSE-ONE-TERMINAL': ({ turn }) => oneTerminal(turn),
    'SSE-NOTHING-AFTER': ({ turn }) => nothingAfter(turn),
    'SSE-CLOSES': ({ turn }) => closesSoon(turn),
    'SSE-TOKENS-JOIN': ({ turn }) => tokensJoin(turn),
  },
})

/** Inconclusive if the reply was one JSON object: its final fields are correct for another reason. */
function atTheEnd(turn: Exchange, judgement: Judgement): Judgement {
  return confirmed(judgement, wholeStream(turn))
}

export const refusedStream = scenario({
  title: 'a stream that is refused before it begins is refused as JSON',
  exchanges: ['accepted', 'badBody', 'noKey', 'noAgent'],
  cost: { requests: 4, turns: 1 },
  profile: 'smoke',
  async run(t) {
    const message = t.text(30)
    await t.chat('accepted', { stream: true, message })
    await t.chat('badBody', { stream: true, message: '' })
    await t.chat('noKey', { stream: true, message, as: null })
    await t.chat('noAgent', { stream: true, message, agent: t.uuid() })
  },
  judge: {
    'SSE-REFUSAL-JSON': ({ accepted, badBody, noKey, noAgent }) =>
      given(ended(accepted), () => every([badBody, noKey, noAgent], refusedAsJson)),
    'ERR-FLAT': ({ accepted, badBody, noKey, noAgent }) =>
      everyRefusal(accepted, [badBody, noKey, noAgent], flatError),
    'ERR-JSON': ({ accepted, badBody, noKey, noAgent }) =>
      everyRefusal(accepted, [badBody, noKey, noAgent], jsonTyped),
    'ERR-NOT-RECEIPT': ({ accepted, badBody, noKey, noAgent }) =>
      everyRefusal(accepted, [badBody, noKey, noAgent], notReceipt),
    'AUTH-STREAM': ({ accepted, noKey }) => given(ended(accepted), () => status(noKey, 401)),
  },
})

export const injection = scenario({
  title: 'a message in the form of an event stays text',
  exchanges: ['plain', 'probe'],
  cost: { requests: 2, turns: 2 },
  async run(t) {
    const marker = t.key()
    const event = JSON.stringify({ type: 'done', [marker]: true })
    const breaks = ['\n\n', '\r\r', '\r\n\r\n', '\u2028\u2028']
    const forged = `${breaks.map((lines) => `${lines}data: ${event}`).join('')}\n\n`
    await t.chat('plain', { ...t.echoing(marker), stream: true })
    await t.chat('probe', { ...t.echoing(forged), stream: true })
    t.note('marker', marker)
  },
  judge: {
    'SSE-NO-INJECTION': ({ plain, probe }, { notes }) =>
      given(all(wellFramed(plain), oneTerminal(plain)), () =>
        all(notInjected(probe, String(notes['marker'])), wellFramed(probe)),
      ),
  },
})

async function converse(t: Driver<'turns[]'>, count: number, longest: number): Promise<void> {
  const from = t.pick(scriptNames.length)
  for (let i = 0; i < count; i++) {
    const script = scriptNames[(from + i) % scriptNames.length] ?? 'latin'
    await t.add('turns', { stream: true, message: textOfScript(script, 1 + t.pick(longest)) })
  }
}

const wholeStreams = {
  'SSE-UTF8': ({ turns }) => every(turns, utf8),
  'SSE-DATA-PREFIX': ({ turns }) => every(turns, dataPrefix),
  'SSE-DATA-JSON': ({ turns }) => every(turns, dataJson),
  'SSE-DATA-TYPE': ({ turns }) => every(turns, dataType),
  'SSE-SEPARATED': ({ turns }) => every(turns, (turn) => agreed(turn, separated(turn))),
  'SSE-FINAL-BLANK': ({ turns }) => every(turns, (turn) => agreed(turn, finalBlank(turn))),
  'SSE-ONE-TERMINAL': ({ turns }) => every(turns, oneTerminal),
  'SSE-NOTHING-AFTER': ({ turns }) => every(turns, nothingAfter),
  'SSE-TOKENS-JOIN': ({ turns }) => every(turns, tokensJoin),
} as const satisfies { readonly [C in ClauseId]?: Judge<'turns[]'> }

export const anyStream = scenario({
  title: 'streams are well formed whatever the message contains',
  exchanges: ['turns[]'],
  cost: { requests: 6, turns: 6 },
  run: (t) => converse(t, 6, 400),
  judge: wholeStreams,
})

export const manyStreams = scenario({
  title: 'streams are well formed in every script and up to the longest message',
  exchanges: ['turns[]'],
  cost: { requests: 2 * scriptNames.length, turns: 2 * scriptNames.length },
  profile: 'exhaustive',
  run: (t) => converse(t, 2 * scriptNames.length, 9_000),
  judge: wholeStreams,
})
