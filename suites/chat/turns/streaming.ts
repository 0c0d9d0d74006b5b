/** The stream of an ordinary turn: its framing, its `done`, and refusals before it begins. */
import { scenario, type Judgement } from '../../scenario/scenario.ts'
import { all, given } from '../../scenario/expect.ts'
import { notMarkedPaused } from '../../assertions/paused.ts'
import { noPresentation } from '../assertions/presentation.ts'
import { carriesRateHeaders } from '../assertions/rate.ts'
import { field } from '../../assertions/reply.ts'
import { cleanEnd, closesSoon, wholeStream, streamType } from '../assertions/streams/stream.ts'
import { wellFramed } from '../assertions/streams/stream-lines.ts'
import { notInjected, oneTerminal } from '../assertions/streams/stream-events.ts'
import { confirmed, replied } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'

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
    'SSE-CLEAN-END': ({ turn }) => cleanEnd(turn),
    'SSE-DONE-FILLED': ({ turn }) =>
      given(field(turn, 'response', 'string'), () =>
        atTheEnd(turn, field(turn, 'response', 'filled string')),
      ),
    'SSE-DONE-NO-EXTRAS': ({ turn }) =>
      given(replied(turn), () => atTheEnd(turn, all(noPresentation(turn), notMarkedPaused(turn)))),
    'SSE-CLOSES': ({ turn }) => closesSoon(turn),
    'RATE-HEADERS': ({ turn }, { dialect }) => carriesRateHeaders(turn, dialect),
  },
})

/** Inconclusive if the reply was one JSON object: its final fields are correct for another reason. */
function atTheEnd(turn: Exchange, judgement: Judgement): Judgement {
  return confirmed(judgement, wholeStream(turn))
}

export const injection = scenario({
  title: 'a message in the form of an event stays text',
  exchanges: ['plain', 'probe'],
  cost: { requests: 2, turns: 2 },
  async run(t) {
    const marker = t.key()
    const event = JSON.stringify({ type: 'done', [marker]: true })
    const breaks = ['\n\n', '\r\r', '\r\n\r\n', '\u2028\u2028']
    const forged = `${breaks.map((lines) => `${lines}data: ${event}`).join('')}\n\n`
    // A token of digits is a text as well.
    await t.chat('plain', { ...t.echoing(`1 2 3 ${marker}`), stream: true })
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
