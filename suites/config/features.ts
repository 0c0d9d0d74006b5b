/**
 * What a service may leave out, and the scenarios that are then not run. Presentations, pauses and webhooks are conditional
 * by the contract, and it does not say whether the older variant is still served.
 */
import { isOfEvent, stateIds, type Area, type StateId } from '../../spec/index.ts'

export const featureIds = ['streaming', 'workflow', 'pause', 'operations', 'webhooks', 'legacy'] as const
export type FeatureId = (typeof featureIds)[number]

type Support = 'supported' | 'unsupported' | 'unknown'
export type Features = Readonly<Record<FeatureId, Support>>

interface Feature {
  areas: readonly Area[]
  states: readonly StateId[]
}

const optional: Readonly<Partial<Record<FeatureId, Feature>>> = {
  workflow: { areas: ['workflow'], states: ['workflow.current'] },
  pause: { areas: ['pause'], states: ['chat.paused'] },
  webhooks: {
    areas: [
      'webhook-management',
      'webhook-events',
      'delivery',
      'attempts',
      'signing',
      'delivery-target',
      'webhook-logs',
    ],
    states: stateIds.filter(isOfWebhooks),
  },
  legacy: { areas: ['older-variant'], states: [] },
}

/** Who says nothing of webhooks has their scenarios left out, each with this reason. */
function isOfWebhooks(state: StateId): boolean {
  return isOfEvent(state) || state.startsWith('webhook.')
}

const ofOperations: readonly StateId[] = [
  'approval.approved',
  'approval.rejected',
  'task.finished',
  'operation.uncertain',
  'plan.without-webhooks',
]

/** Only a scenario brings it about, and sees it: a file that says nothing of it has those scenarios left out. */
export function isOfScenarios(state: StateId): boolean {
  return isOfWebhooks(state) || ofOperations.includes(state)
}

/** The contract has it without a condition: a service that lacks it does not conform. */
export function isRequired(feature: FeatureId): boolean {
  return !(feature in optional)
}

export function missingFor(state: StateId, declared: Features): FeatureId | undefined {
  return unsupported(declared).find((feature) => optional[feature]?.states.includes(state))
}

export function missingForAll(areas: readonly Area[], declared: Features): FeatureId | undefined {
  const belongs = (feature: FeatureId) => areas.every((area) => optional[feature]?.areas.includes(area))
  return areas.length === 0 ? undefined : unsupported(declared).find(belongs)
}

function unsupported(declared: Features): readonly FeatureId[] {
  return featureIds.filter((feature) => declared[feature] === 'unsupported')
}
