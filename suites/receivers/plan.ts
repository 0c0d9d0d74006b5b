/** What will be posted to a receiver, in which order, and the most it can take. Pure: no request is made. */
import { notExercised, type Ending } from '../engine/ending.ts'
import { checkId } from '../engine/judge.ts'
import { knownChecks } from '../engine/known.ts'
import { planOf, type Planned, type PlannedStory } from '../engine/plan.ts'
import { mustMatch, selected } from '../engine/selection.ts'
import { unknownEntries } from '../policy/stale.ts'
import { ConfigurationError } from '../target/configuration-error.ts'
import { receiverScenarios } from './index.ts'
import type { ReceiverScenario } from './story.ts'
import type { Subject } from './subject.ts'

export interface PlannedReceiverStory extends PlannedStory {
  scenario: ReceiverScenario
}

export interface PlannedReceiver extends Planned {
  stories: readonly PlannedReceiverStory[]
}

/** The delivery before the run. */
const preflight = 1

const withoutEffects: Ending = notExercised(
  'effects-unknown',
  'give --effects with {id} in it, such as http://localhost:3000/effects/{id}',
).ending

/** `only`: see `planRun`. Throws a ConfigurationError for patterns and policy entries that match nothing. */
export function planReceiver(subject: Subject, only: readonly string[] = []): PlannedReceiver {
  mustMatch(receiverScenarios, only)
  const stories = Object.entries(receiverScenarios)
    .map(([id, scenario]) => ({ id, scenario, subjects: selected(id, scenario, only), outlook: null }))
    .filter(({ subjects }) => subjects.length > 0)
    .map((story) =>
      story.scenario.effects && subject.effects === null ? { ...story, outlook: withoutEffects } : story,
    )
  const unknown = unknownEntries({
    policy: subject.policy,
    known: knownChecks(receiverScenarios, 'standard'),
  })
  if (unknown.length > 0) throw new ConfigurationError(...unknown)
  const checks = stories.flatMap(({ id, subjects }) =>
    subjects.map((clause) => ({ check: checkId(id, clause), subject: clause, scenario: id })),
  )
  const requests = stories
    .filter(({ outlook }) => outlook === null)
    .reduce((sum, { scenario }) => sum + scenario.cost.requests, preflight)
  const chosen = { profile: 'standard', only } as const
  return { plan: planOf(checks, receiverScenarios, chosen, { requests, turns: 0 }), stories }
}
