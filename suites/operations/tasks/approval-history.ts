/**
 * Model-based test of two held operations: requested again, read, waited for, approved and rejected in any order,
 * compared with a model of how often each may have been done. A failing sequence is shrunk.
 */
import * as fc from 'fast-check'
import { overSequences } from '../../models/sequences.ts'
import { sequences, runModelTest, mostRequestsOf, type Extent } from '../../models/run-model-test.ts'
import { scenario } from '../../scenario/scenario.ts'
import type { NamedExchanges } from '../../scenario/exchange-names.ts'
import {
  courseNote,
  nothingAfterRejection,
  nothingBefore,
  onceApproved,
  overCourse,
} from '../assertions/approval.ts'
import { heldCostOf, runHeld, type HeldNames, type HeldScript } from './approval-sequence.ts'

const decisions = ['approve', 'reject'] as const
type Decision = (typeof decisions)[number]

interface Step {
  is: Decision | 'again' | 'read' | 'wait'
  at: number
}

const step: fc.Arbitrary<Step> = fc.record({
  is: fc.constantFrom<Step['is'][]>('again', 'approve', 'reject', 'again', 'read', 'wait'),
  at: fc.nat(1),
})

const opening: readonly Step[] = [
  { is: 'again', at: 1 },
  { is: 'read', at: 1 },
  { is: 'reject', at: 1 },
  { is: 'again', at: 1 },
  { is: 'approve', at: 0 },
  { is: 'again', at: 0 },
]

const isDecision = (is: Step['is']): is is Decision => decisions.some((one) => one === is)

/**
 * Requests both and decides each at most once; at the end repeats the decided requests and waits. Approves only one,
 * since it would be unknown which of two was done.
 */
function scriptOf(course: readonly Step[]): HeldScript {
  const decided = new Map<number, Decision>()
  const drawn = course.map(({ is, at }): HeldScript[number] => {
    if (!isDecision(is)) return [is, at]
    const isRepeated = decided.has(at) || (is === 'approve' && [...decided.values()].includes(is))
    if (isRepeated) return ['again', at]
    decided.set(at, is)
    return [is, at]
  })
  const end = [...decided].flatMap(([at, is]): HeldScript => [
    ['again', at],
    [is === 'approve' ? 'settle' : 'wait', at],
  ])
  return [['ask', 0], ['ask', 1], ...drawn, ...end]
}

const judges = {
  'APPR-HELD': overCourse(nothingBefore),
  'APPR-APPROVED': overCourse(onceApproved),
  'APPR-REJECTED': overCourse(nothingAfterRejection),
} as const

const exchanges = ({ receipts, reads, effect, tasks }: NamedExchanges<HeldNames>) => [
  ...receipts,
  ...reads,
  ...effect,
  ...tasks,
]

/** Requests beside those of the commands (one request and one read of the effect each), with both decided. */
const beside = heldCostOf(
  scriptOf([
    { is: 'approve', at: 0 },
    { is: 'reject', at: 1 },
  ]),
)

const extent: Extent = { runs: 8, longest: 16, shrinkRequests: 400, confirm: 3 }
const size = { ...extent, each: 2, beside }

export const long = scenario({
  title: `in ${extent.runs} random sequences over two held operations only approved ones are done, and once`,
  exchanges: ['receipts[]', 'reads[]', 'effect[]', 'tasks[]'],
  needs: { operation: { receipt: 'pending_approval', write: true, effect: true } },
  cost: { requests: mostRequestsOf(size), turns: 0 },
  profile: 'exhaustive',
  run: (t) =>
    runModelTest(t, {
      ...size,
      sequence: sequences(step, extent),
      first: [opening],
      run: async (course) => {
        await runHeld(t, scriptOf(course), courseNote(t.exchanges().at(-1)?.id ?? 0))
      },
      judges,
    }),
  judge: overSequences(judges, exchanges),
})
