/**
 * Clients that go away and send the request again. What becomes of such a turn is open: it may finish and be
 * replayed, or be uncertain; it never runs a second time, and is never charged twice.
 */
import type { Driver, ChatRequest } from '../../scenario/driver.ts'
import { scenario } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import { abortedRunsOnce, chargedAtMostOnce, stillRunning } from '../assertions/abort.ts'
import { balanced } from '../../assertions/credits.ts'
import { given, observed } from '../../scenario/expect.ts'
import { way } from '../../assertions/once.ts'
import { byKey } from '../assertions/race.ts'

type Names = 'gone[]' | 'retries[]'
const mostRetries = 6

/** Goes away once, then asks until the answer is final, and once more. Takes at most 8 requests. */
async function goAndAskAgain(
  t: Pick<Driver<Names>, 'add' | 'pause'>,
  request: ChatRequest,
  patience: NonNullable<ChatRequest['patience']>,
): Promise<void> {
  await t.add('gone', { ...request, patience })
  for (let retry = 0, gap = 40; retry < mostRetries; retry++, gap *= 2) {
    const answer = await t.add('retries', request)
    if (!stillRunning(answer)) break
    await t.pause(gap)
  }
  const last = await t.add('retries', request)
  // Whatever else was said of it, the turn may still run: its charge belongs to this scenario.
  if (!settles.includes(last.response?.status ?? 0)) await t.pause(500)
}

/** The reply is there, or no turn comes of this request, whoever sends it and however often. */
const settles: readonly number[] = [200, 400, 401, 403, 404]

const whatBecame = (exchanges: Parameters<typeof byKey>[0]) => {
  const finals = byKey(exchanges).flatMap((same) => same.slice(-1).map((last) => way(last) ?? 'no answer'))
  return observed([...new Set(finals)].sort().join('; '))
}

const slowAborts = (points: readonly number[], profile: Profile) =>
  scenario({
    title: `a client that goes away ${points.join(', ')} ms into a long turn causes no second one`,
    exchanges: ['gone[]', 'retries[]'],
    needs: { states: ['turn.slow'] },
    cost: { requests: 16 * points.length, turns: 2 * points.length },
    profile,
    async run(t) {
      for (const abortAfterMs of points)
        for (const stream of [false, true])
          await goAndAskAgain(t, { message: t.message, idempotency_key: t.key(), stream }, { abortAfterMs })
    },
    judge: {
      'IDEM-ABORT-ONE-RUN': ({ gone, retries }) => abortedRunsOnce([...gone, ...retries]),
    },
    observe: {
      'GAP-CLIENT-GONE': ({ gone, retries }) =>
        given(abortedRunsOnce([...gone, ...retries]), () => whatBecame([...gone, ...retries])),
    },
  })

export const longTurn = slowAborts([60], 'standard')
export const manyPoints = slowAborts([5, 60, 150, 280], 'exhaustive')

export const cutStream = scenario({
  title: 'a client that leaves a stream at its first bytes causes no second turn',
  exchanges: ['gone[]', 'retries[]'],
  cost: { requests: 16, turns: 2 },
  async run(t) {
    for (const abortAfterBytes of [1, 40])
      await goAndAskAgain(
        t,
        { message: t.text(200), idempotency_key: t.key(), stream: true },
        { abortAfterBytes },
      )
  },
  judge: {
    'IDEM-ABORT-ONE-RUN': ({ gone, retries }) => abortedRunsOnce([...gone, ...retries]),
  },
})

export const charge = scenario({
  title: 'a turn whose client went away is charged at most once',
  exchanges: ['control', 'before', 'gone[]', 'retries[]', 'after'],
  needs: { exclusiveCredits: true },
  cost: { requests: 19, turns: 5 },
  // A turn may cost by its length: a whole turn of the same message shows what each of the two may cost.
  async run(t) {
    await t.enter('turn.slow')
    await t.chat('control', { message: t.message })
    await t.chat('before', { message: t.message, stream: true })
    const request = { message: t.message, idempotency_key: t.key() }
    await goAndAskAgain(t, request, { abortAfterMs: 60 })
    await t.leave('turn.slow')
    const message = t.text(200)
    const streamed = { message, idempotency_key: t.key(), stream: true }
    await goAndAskAgain(t, streamed, { abortAfterBytes: 1 })
    await t.chat('after', { message })
  },
  judge: {
    'IDEM-ABORT-CHARGE': ({ control, before, gone, retries, after }) =>
      given(balanced(control, before), () => chargedAtMostOnce(before, after, [...gone, ...retries])),
    'IDEM-ABORT-ONE-RUN': ({ gone, retries }) => abortedRunsOnce([...gone, ...retries]),
  },
})
