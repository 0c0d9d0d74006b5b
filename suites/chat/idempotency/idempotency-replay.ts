/** A completed key returns its recorded response to an identical request. */
import { scenario } from '../../scenario/scenario.ts'
import { all, every, given } from '../../scenario/expect.ts'
import { ran, replayed } from '../../assertions/once.ts'
import { eachKey, replayAfterReply } from '../assertions/race.ts'
import { events, field, markedReplay, sameField } from '../../assertions/reply.ts'
import { onlyDone, replayedStream, sameInDone } from '../assertions/streams/replayed-stream.ts'
import { wholeStream } from '../assertions/streams/stream.ts'
import { accepts, confirmed, conversationOf, replied } from '../../assertions/turn.ts'
import { scriptGroups, scriptNames, textOfScript } from '../requests/multilingual.ts'

export const json = scenario({
  title: 'a reply is replayed, also after another turn',
  exchanges: ['first', 'again', 'other', 'later[]'],
  cost: { requests: 5, turns: 2 },
  profile: 'smoke',
  async run(t) {
    const first = await t.chat('first', { message: t.text(40) })
    await t.resend('again', first)
    const id = conversationOf(first)
    await t.chat('other', { message: t.text(40), ...(id === null ? {} : { conversation_id: id }) })
    await t.resendTo('later', first)
    await t.resendTo('later', first)
  },
  judge: {
    'IDEM-REPLAY-STATUS': ({ first, again }) => given(replied(first), () => accepts(again)),
    'IDEM-REPLAY-HEADER': ({ first, again, later }) =>
      all(
        given(ran(first), () => given(accepts(again), () => markedReplay(again))),
        // Other scenarios judge whether the key was available.
        ...later.map((one) => given(replayed(first, one), () => markedReplay(one))),
      ),
    'IDEM-REPLAY-RESPONSE': ({ first, again, later }) =>
      given(field(first, 'response', 'string'), () =>
        all(
          sameField(first, again, 'response'),
          // Other scenarios judge whether the key was available.
          ...later.map((one) => given(replayed(first, one), () => sameField(first, one, 'response'))),
        ),
      ),
    'IDEM-REPLAY-CONVERSATION': ({ first, again }) =>
      given(field(first, 'conversation_id', 'string'), () => sameField(first, again, 'conversation_id')),
    'IDEM-REPLAY-AT-ONCE': ({ first, again }) => replayAfterReply([first, again]),
    'IDEM-REPLAY-AGAIN': ({ first, other, later }) => given(ran(other), () => replayed(first, ...later)),
  },
})

export const stream = scenario({
  title: 'a streamed reply is replayed, also after another turn of its conversation',
  exchanges: ['first', 'again', 'other', 'later'],
  cost: { requests: 4, turns: 2 },
  profile: 'smoke',
  async run(t) {
    // If an agent repeats its message, a record that truncates the reply is detected.
    const first = await t.chat('first', { message: t.text(4000), stream: true })
    await t.resend('again', first)
    const id = conversationOf(first)
    await t.chat('other', { message: t.text(40), ...(id === null ? {} : { conversation_id: id }) })
    await t.resend('later', first)
  },
  judge: {
    'IDEM-STREAM-REPLAY-STATUS': ({ first, again }) =>
      given(replied(first), () => confirmed(accepts(again), wholeStream(first))),
    'IDEM-STREAM-REPLAY-HEADER': ({ first, again }) =>
      given(ran(first), () => given(accepts(again), () => markedReplay(again))),
    'IDEM-STREAM-REPLAY-ONE-DONE': ({ first, again }) => replayedStream(first, again),
    'IDEM-STREAM-REPLAY-RESPONSE': ({ first, again, other, later }) =>
      all(
        sameInDone(first, again, 'response'),
        given(ran(other), () => given(replayed(first, later), () => sameInDone(first, later, 'response'))),
      ),
    'IDEM-STREAM-REPLAY-CONVERSATION': ({ first, again }) => sameInDone(first, again, 'conversation_id'),
    'IDEM-STREAM-REPLAY-CLEAN': ({ first, again }) => onlyDone(first, again),
  },
  observe: {
    'GAP-REPLAY-TOKENS': ({ first, again }) =>
      given(replied(first), () =>
        given(replied(again), () => {
          const tokens = events(again, 'token').length
          return { is: 'observed', value: tokens > 0 ? 'with tokens' : 'without tokens' }
        }),
      ),
  },
})

export const streamByHeader = scenario({
  title: 'a streamed reply is replayed to a key in a header',
  exchanges: ['first', 'again'],
  cost: { requests: 2, turns: 1 },
  async run(t) {
    const headers = [['Idempotency-Key', t.key()]] as const
    const asked = { message: t.text(40), stream: true, idempotency_key: null, headers }
    await t.resend('again', await t.chat('first', asked))
  },
  judge: {
    'IDEM-STREAM-REPLAY-HEADER': ({ first, again }) =>
      given(ran(first), () => given(accepts(again), () => markedReplay(again))),
  },
})

const mostScriptTurns = 2 * (scriptGroups.length + scriptNames.length)

export const everyScript = scenario({
  title: 'a message in any script is answered, and its reply replayed unchanged',
  exchanges: ['plain', 'apart[]', 'turns[]', 'again[]'],
  cost: { requests: mostScriptTurns + 1, turns: mostScriptTurns / 2 + 1 },
  async run(t) {
    await t.chat('plain', { message: t.text(30) })
    for (const group of scriptGroups) {
      const message = group.map((script) => textOfScript(script, 1)).join(' ')
      const turn = await t.add('turns', { message })
      await t.resendTo('again', turn)
      if (replied(turn).is === 'pass') continue
      // Which of its scripts is the cause.
      for (const script of group)
        await t.resendTo('again', await t.add('apart', { message: textOfScript(script, 1) }))
    }
  },
  judge: {
    'REQ-MESSAGE-UNICODE': ({ plain, apart, turns }) =>
      given(replied(plain), () => every([...apart, ...turns], accepts)),
  },
})

export const rightAfter = scenario({
  title: 'a request sent right after the response is a replay',
  exchanges: ['turns[]', 'again[]'],
  cost: { requests: 6, turns: 2 },
  async run(t) {
    for (const stream of [false, true]) {
      const turn = await t.add('turns', { message: t.text(40), stream })
      await t.resendTo('again', turn)
      await t.resendTo('again', turn)
    }
  },
  judge: {
    'IDEM-REPLAY-AT-ONCE': ({ turns, again }) =>
      eachKey([...turns, ...again], (...same) => replayAfterReply(same)),
  },
})
