/** Rules over all reads of tasks. */
import { statusOf } from '../assertions/answer.ts'
import { hasKnownState, readableTask, staysFinal } from '../operations/assertions/task.ts'
import type { Exchange } from '../wire/exchange.ts'
import { eachOf, ruleOver, those } from './rule.ts'

const isRead = ({ inbound, request }: Exchange): boolean =>
  !inbound && request.method === 'GET' && /^\/api\/v1\/tasks\/[^/?]+$/.test(request.path)

const isShown = (one: Exchange): boolean => isRead(one) && statusOf(one) === 200

/** How long a finished task can be read is not shown; so soon after it was read it still can, with the same key. */
const soonMs = 60_000

function isOfKnown(all: readonly Exchange[]) {
  const shown = all.filter(isShown)
  const nameOf = ({ scenario, request }: Exchange) => [scenario, request.principal, request.path].join(' ')
  const isSoon = (one: Exchange, known: Exchange): boolean =>
    nameOf(one) === nameOf(known) && one.sentAt >= known.sentAt && one.sentAt - known.endedAt < soonMs
  return (one: Exchange): boolean =>
    isRead(one) && one.failure === null && shown.some((known) => isSoon(one, known))
}

/** The reads of each task that no other one overlaps. */
function apart(all: readonly Exchange[]): readonly Exchange[][] {
  const byPath = Map.groupBy(all.filter(isRead), ({ request }) => request.path)
  return [...byPath.values()].map((reads) =>
    reads.filter((one) =>
      reads.every((other) => other === one || other.endedAt < one.sentAt || one.endedAt < other.sentAt),
    ),
  )
}

export const tasks = ruleOver('every task that is read has a known state, and a final one stays', {
  'TASK-READ': (all) => eachOf(those(all, isOfKnown(all)), 'reads of tasks', readableTask),
  'TASK-STATE-KNOWN': (all, { dialect }) =>
    eachOf(those(all, isShown), 'reads of tasks', (one) => hasKnownState(one, dialect)),
  'TASK-FINAL': (all, { dialect }) => eachOf(apart(all), 'tasks', (...reads) => staysFinal(reads, dialect)),
})
