/**
 * Clients that abort a request and send it again. What happens to the turn is unspecified: it may finish and be
 * replayed, or be uncertain; it never runs a second time, and is never charged twice.
 */
import { scenario, type Driver, type ChatRequest } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import { abortedRunsOnce, chargedAtMostOnce, stillRunning } from '../assertions/flight.ts'
import { balanced } from '../../assertions/reply.ts'
import { given, observed } from '../../scenario/expect.ts'
import { way } from '../../assertions/once.ts'
import { byKey } from '../assertions/race.ts'

type Names = 'gone[]' | 'retries[]'
const mostRetries = 6

/** Aborts a request, then repeats it until the response is final, and once more. Sends at most 8 requests. */
async function goAndAskAgain(
  t: Pick<Driver<Names>, 'add' | 'pause'>,
  request: ChatRequest,
  timeouts: NonNullable<ChatRequest['timeouts']>,
): Promise<void> {
  await t.add('gone', { ...request, timeouts })
  for (let retry = 0, gap = 100; retry < mostRetries; retry++, gap *= 2) {
    const answer = await t.add('retries', request)
    if (!stillRunning(answer)) break
    await t.pause(gap)
  }
  const last = await t.add('retries', request)
  // Whatever its status, the turn may still run: wait, so that its charge falls into this scenario.
  if (!settles.includes(last.response?.status ?? 0)) await t.pause(500)
}

/** Final: the reply exists, or the request never runs a turn. */
const settles: readonly number[] = [200, 400, 401, 403, 404]

/** `points`: when a turn is aborted, in milliseconds; beside them a stream at its first bytes. */
const abortScenario = (points: readonly number[], bytes: readonly number[], profile: Profile) =>
  scenario({
    title: `an aborted turn runs and is charged at most once, ${points.length + bytes.length + 1} times over`,
    exchanges: ['control', 'before', 'gone[]', 'retries[]', 'after'],
    needs: { enters: ['turn.slow'], exclusiveCredits: ['IDEM-ABORT-CHARGE'] },
    cost: {
      requests: 3 + 8 * (2 * points.length + bytes.length),
      turns: 3 + 2 * points.length + bytes.length,
    },
    profile,
    // Turns may cost by length: a complete turn with the same message shows the price of each.
    async run(t) {
      await t.enter('turn.slow')
      await t.chat('control', { message: t.message })
      await t.chat('before', { message: t.message, stream: true })
      for (const abortAfterMs of points)
        for (const stream of [false, true])
          await goAndAskAgain(t, { message: t.message, idempotency_key: t.key(), stream }, { abortAfterMs })
      await t.leave('turn.slow')
      const message = t.text(200)
      for (const abortAfterBytes of bytes)
        await goAndAskAgain(t, { message, idempotency_key: t.key(), stream: true }, { abortAfterBytes })
      await t.chat('after', { message })
    },
    judge: {
      'IDEM-ABORT-CHARGE': ({ control, before, gone, retries, after }) =>
        given(balanced(control, before), () => chargedAtMostOnce(before, after, [...gone, ...retries])),
      'IDEM-ABORT-ONE-RUN': ({ gone, retries }) => abortedRunsOnce([...gone, ...retries]),
    },
    observe: {
      'GAP-CLIENT-GONE': ({ gone, retries }) =>
        given(abortedRunsOnce([...gone, ...retries]), () => {
          const last = byKey([...gone, ...retries]).flatMap((same) => same.slice(-1))
          return observed([...new Set(last.map((one) => way(one) ?? 'no answer'))].sort().join('; '))
        }),
    },
  })

export const charge = abortScenario([60], [1], 'standard')
export const manyPoints = abortScenario([5, 60, 150, 280], [1, 40], 'exhaustive')
