/**
 * Drawn courses over two held operations: asked for again, read, waited for, approved and rejected in any order. Held
 * against a model of how often the operation may have been done by each step. A course that fails is made small.
 */
import * as fc from 'fast-check'
import { overSequences } from '../../models/sequences.ts'
import { sequences, runModelTest, requestsOf, type Extent } from '../../models/run-model-test.ts'
import type { Driver } from '../../scenario/driver.ts'
import { scenario } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import type { NamedExchanges } from '../../scenario/exchange-names.ts'
import {
  courseNote,
  nothingAfterRejection,
  nothingBefore,
  onceApproved,
  overCourse,
} from '../assertions/approval-history.ts'
import { costOf, walkHeld, type HeldNames, type Script } from './approval-sequence.ts'

const decisions = ['approve', 'reject'] as const
type Decision = (typeof decisions)[number]

interface Step {
  is: Decision | 'again' | 'read' | 'wait'
  /** Which of the two. */
  at: number
}

const step: fc.Arbitrary<Step> = fc.record({
  is: fc.constantFrom<Step['is'][]>('again', 'approve', 'reject', 'again', 'read', 'wait'),
  at: fc.nat(1),
})

/** Each step of its kind before and after a decision. */
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
 * Both are asked for, and decided once at the most; in the end what was decided is asked for again, and given its time.
 * Of two that are approved nobody could tell which one was done, so one is.
 */
function scriptOf(course: readonly Step[]): Script {
  const decided = new Map<number, Decision>()
  const drawn = course.map(({ is, at }): Script[number] => {
    if (!isDecision(is)) return [is, at]
    const isTold = decided.has(at) || (is === 'approve' && [...decided.values()].includes(is))
    if (isTold) return ['again', at]
    decided.set(at, is)
    return [is, at]
  })
  const end = [...decided].flatMap(([at, is]): Script => [
    ['again', at],
    [is === 'approve' ? 'settle' : 'wait', at],
  ])
  return [['ask', 0], ['ask', 1], ...drawn, ...end]
}

async function walk(t: Driver<HeldNames>, course: readonly Step[]): Promise<void> {
  await walkHeld(t, scriptOf(course), courseNote(t.exchanges().at(-1)?.id ?? 0))
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

/** Beside the drawn steps, of which each is one request and a look at the effect, with both decided. */
const beside = costOf(
  scriptOf([
    { is: 'approve', at: 0 },
    { is: 'reject', at: 1 },
  ]),
)

const history = (extent: Extent, profile: Profile) => {
  const size = { ...extent, each: 2, beside }
  return scenario({
    title: `in ${extent.runs} drawn courses over two held operations only what is approved is done, and once`,
    exchanges: ['receipts[]', 'reads[]', 'effect[]', 'tasks[]'],
    needs: { operation: { receipt: 'pending_approval', write: true, effect: true } },
    cost: { requests: requestsOf(size), turns: 0 },
    profile,
    run: (t) =>
      runModelTest(t, {
        ...size,
        sequence: sequences(step, extent),
        first: [opening],
        run: (course) => walk(t, course),
        judges,
      }),
    judge: overSequences(judges, exchanges),
  })
}

export const drawn = history({ runs: 2, longest: 8, shrinkRequests: 240, confirm: 1 }, 'standard')
export const long = history({ runs: 8, longest: 16, shrinkRequests: 400, confirm: 3 }, 'exhaustive')
