/** Rate limits of operations, reads and streams: reported to the caller, and not retried at once. */
import type { Judgement } from '../../scenario/scenario.ts'
import { all, check, every, inconclusive } from '../../scenario/expect.ts'
import type { Exchange, Json } from '../../wire/exchange.ts'
import { afterRefusals, reportsSeconds } from '../assertions/retry.ts'
import { ifStreamed } from '../assertions/reported-stream.ts'
import { ifControlSucceeded, sentTo } from '../assertions/step-result.ts'
import { completedReceipt, executing, refusalsWith, routes, script, unlimited } from '../execution/step.ts'
import { clientScenario, type ClientStep } from '../client-scenario.ts'
import { streaming } from '../streams/stream-scenario.ts'

const seconds = 1
const limit = { error: 'Too many requests.', retry_after_seconds: seconds, limit: 60, remaining: 0 }

const reading = (body: Json, status?: number): ClientStep => ({
  task: { do: 'billing', read: 'usage' },
  service: { networkFaults: script(routes.anyRead, [body], status) },
})
const [inspected, used] = [completedReceipt({ live: {} }), { credits: { remaining: 417 } }] as const

/** By return, the next request takes a few milliseconds; on a busy machine some more. */
const atOnceMs = 250

function notAtOnce(sent: readonly Exchange[]): Judgement {
  if (sent.length === 0) return inconclusive('it was not asked for')
  return every([{ again: sent[0], gap: atOnceMs }, ...afterRefusals(sent)], ({ again, gap }) =>
    check(gap >= atOnceMs, 'a wait before the next try', `${Math.max(0, Math.round(gap))} ms`, again),
  )
}

const limited = { operation: executing(limit, { status: 429 }), read: reading(limit, 429) } as const

export const operations = clientScenario({
  title: 'an operation or a read that was refused for its rate is not sent again at once',
  steps: { executed: executing(inspected), usage: reading(used), ...limited },
  judge: {
    'LIB-RATE-WAIT': ({ executed, usage, operation, read }) =>
      all(
        ifControlSucceeded(sentTo(executed, 'execution'), () => notAtOnce(sentTo(operation, 'execution'))),
        ifControlSucceeded(sentTo(usage, 'usage'), () => notAtOnce(sentTo(read, 'usage'))),
      ),
  },
})

export const retryAfter = clientScenario({
  title: 'the library reports how long to wait for an operation and for a read',
  clientKind: 'library',
  steps: { executed: executing(inspected), usage: reading(used), ...limited },
  judge: {
    'LIB-RATE-SECONDS': ({ executed, usage, operation, read }, context) =>
      all(
        ifControlSucceeded(executed, () => reportsSeconds(operation, context, 'operation', seconds)),
        ifControlSucceeded(usage, () => reportsSeconds(read, context, 'read', seconds)),
      ),
  },
})

export const streams = clientScenario({
  title: 'a stream that was refused for its rate is not asked for again at once',
  steps: {
    served: streaming(),
    refused: streaming({ networkFaults: refusalsWith('RATE_LIMITED', unlimited, seconds) }),
  },
  judge: {
    'LIB-RATE-WAIT': ({ served, refused }) => ifStreamed(served, () => notAtOnce(sentTo(refused, 'chat'))),
  },
})
