import { scenario, type ChatRequest, type Driver } from '../../scenario/scenario.ts'
import { refused, refusedByJson, status } from '../../assertions/answer.ts'
import { all, every, given, inconclusive, observed, inTurn, need } from '../../scenario/expect.ts'
import { certainlyInFlight, otherInFlight, refusedInFlight, sameInFlight } from '../assertions/flight.ts'
import { ran, replayed, way } from '../../assertions/once.ts'
import { oneDone } from '../assertions/streams/stream.ts'
import { oneRun, progressOnlyWhileRunning } from '../assertions/race.ts'

const slow = ['turn.slow'] as const
/** Long enough on any usual network for the first of two requests to arrive before the second is sent. */
const headStartMs = 40

/**
 * Denser at the beginning, so that turns of any length are polled while they run, and a lease that ends early is
 * detected.
 */
const polls = { first: 10, factor: 2, most: 9 }
/**
 * After this many polls a controllable clock advances by this time: a lease of some seconds has then expired, while a
 * turn that takes real time still runs.
 */
const lease = { after: 3, ms: 6_000 }

/** Sends the request again until the turn is over. */
async function poll(
  t: Driver<'polls[]'>,
  request: ChatRequest,
  answer: Promise<unknown>,
  leased: boolean,
): Promise<void> {
  const turn = { over: false }
  const end = (): void => void (turn.over = true)
  answer.then(end, end)
  let gap = polls.first
  for (let i = 0; i < polls.most && !turn.over; i++, gap *= polls.factor) {
    await Promise.race([t.pause(gap), answer])
    if (turn.over) return
    await t.add('polls', request)
    if (!leased || i !== lease.after || t.clock !== 'control') continue
    await t.wait(lease.ms)
    await t.add('polls', request)
  }
}

export const duplicate = scenario({
  title: 'the same request while its turn is in flight is refused each time, and the turn completes',
  exchanges: ['slow', 'same', 'other', 'polls[]', 'again'],
  needs: { states: slow },
  cost: { requests: 4 + polls.most, turns: 1 },
  async run(t) {
    const request = { message: t.message, idempotency_key: t.key() }
    const { answer } = t.start('slow', request)
    await t.pause(headStartMs)
    await t.chat('same', request)
    await t.chat('other', { ...request, message: t.text(52) })
    await poll(t, request, answer, false)
    await t.resend('again', await answer)
  },
  judge: {
    'IDEM-IN-FLIGHT-STATUS': ({ slow, same, again }) => refusedInFlight(slow, same, again),
    'IDEM-IN-FLIGHT-CODE': ({ slow, same, again }) => sameInFlight(slow, same, again),
    'IDEM-IN-FLIGHT-UNCHANGED': ({ slow, same, again }) =>
      inTurn(need(status(same, 409)), ran(slow), replayed(slow, again)),
    'IDEM-IN-FLIGHT-OTHER': ({ slow, other, again }) => otherInFlight(slow, other, again),
    'IDEM-POLL-ONE-RUN': ({ slow, same, polls, again }) => oneRun([slow, same, ...polls, again]),
    'IDEM-IN-FLIGHT-OVERLAP': ({ slow, same, polls, again }) =>
      progressOnlyWhileRunning([slow, same, ...polls, again]),
  },
  observe: {
    'GAP-IN-FLIGHT-OTHER': ({ slow, other, again }) =>
      given(certainlyInFlight(slow, other, again), () => {
        const taken = way(other)
        return taken === null ? inconclusive('the other message got no answer') : observed(taken)
      }),
  },
})

type Met = 'control' | 'slow' | 'same' | 'polls[]' | 'again' | 'more[]'

/** Repeats the exchange if the stream did not reach its `done`, since a turn may fail once for another reason. */
async function onceMore(t: Driver<Met>): Promise<void> {
  const request = { message: t.message, idempotency_key: t.key(), stream: true }
  const answer = t.add('more', request)
  await t.pause(headStartMs)
  await t.add('more', request)
  await answer
}

export const stream = scenario({
  title: 'a streamed duplicate of a stream in flight is refused as JSON each time, and the stream completes',
  exchanges: ['control', 'slow', 'same', 'polls[]', 'again', 'more[]'],
  needs: { states: slow },
  cost: { requests: 7 + polls.most, turns: 3 },
  async run(t) {
    await t.chat('control', { message: t.message, stream: true })
    const request = { message: t.message, idempotency_key: t.key(), stream: true }
    const { answer } = t.start('slow', request)
    await t.pause(headStartMs)
    await t.chat('same', request)
    await poll(t, request, answer, true)
    const first = await answer
    await t.resend('again', first)
    if (oneDone(first).is === 'fail') await onceMore(t)
  },
  judge: {
    'IDEM-IN-FLIGHT-JSON': ({ slow, same, again }) =>
      given(ran(slow), () =>
        refused(same).is === 'pass' ? refusedByJson(same) : refusedInFlight(slow, same, again),
      ),
    'IDEM-IN-FLIGHT-UNCHANGED': ({ control, slow, same, more: [slowAgain, sameAgain] }) =>
      given(all(oneDone(control), status(same, 409)), () => {
        const judged = oneDone(slow)
        if (judged.is !== 'fail' || !slowAgain || !sameAgain) return judged
        return given(status(sameAgain, 409), () => oneDone(slowAgain))
      }),
    'IDEM-POLL-ONE-RUN': ({ slow, same, polls, again }) => oneRun([slow, same, ...polls, again]),
    'IDEM-IN-FLIGHT-OVERLAP': ({ slow, same, polls, again }) =>
      progressOnlyWhileRunning([slow, same, ...polls, again]),
  },
})

export const burst = scenario({
  title: 'of ten requests during a long turn all but one are refused as in progress',
  exchanges: ['slow', 'same[]', 'again'],
  needs: { states: slow },
  cost: { requests: 12, turns: 1 },
  profile: 'exhaustive',
  async run(t) {
    const request = { message: t.message, idempotency_key: t.key() }
    const { answer } = t.start('slow', request)
    await t.pause(headStartMs)
    await t.together(
      'same',
      Array.from({ length: 10 }, () => request),
    )
    await t.resend('again', await answer)
  },
  judge: {
    'IDEM-RACE-ONE-RUN': ({ slow, same, again }) => oneRun([slow, ...same, again]),
    'IDEM-IN-FLIGHT-CODE': ({ slow, same, again }) => every(same, (one) => sameInFlight(slow, one, again)),
    'IDEM-IN-FLIGHT-OVERLAP': ({ slow, same, again }) => progressOnlyWhileRunning([slow, ...same, again]),
  },
})
