/** The steps of a drawn course over webhooks: plain data, and what each sends. */
import * as fc from 'fast-check'
import type { Driver } from '../../scenario/driver.ts'
import type { Json } from '../../wire/json.ts'
import type { ManageRequest } from '../../scenario/webhook-driver.ts'
import { after, isAsKept, type Kept, type Webhooks } from '../assertions/management/webhook-model.ts'
import { elsewhere, seldom, webhookBody } from '../webhook-body.ts'

export type RecordNames = 'creations[]' | 'updates[]' | 'removals[]' | 'lists[]'

/** More than that are never there at a time: where an agent may have few, they are few enough. */
export const mostAtOnce = 3

type Writer = Pick<Driver, 'text' | 'uuid'>

/** What an update gives, by the step that does; `what` picks where there is a choice. */
export const changes = {
  rename: ({ text }) => ({ name: text(24) }),
  move: (t) => ({ endpoint_url: elsewhere(t) }),
  select: (_t, what) => ({ events: [selections[what % selections.length] ?? seldom] }),
  reheader: ({ uuid }) => ({
    custom_headers: { 'X-Touchstone': uuid(), [`X-Touchstone-${uuid().slice(0, 8)}`]: 'two' },
  }),
} as const satisfies Readonly<Record<string, (t: Writer, what: number) => Readonly<Record<string, Json>>>>
export type Change = keyof typeof changes
export const changeNames = Object.keys(changes) as readonly Change[]

/** All of them seldom come about. */
const selections = [seldom, 'payment.verified', 'order.confirmed'] as const

/** `revive`: an update of one that was removed. */
type RecordStepName = Change | 'create' | 'remove' | 'revive'

export interface RecordStep {
  is: RecordStepName
  /** Counts as far as there is something to count, and then from the beginning. */
  at: number
}

const recordSteps = [
  'create',
  'remove',
  'revive',
  ...changeNames,
] as const satisfies readonly RecordStepName[]
const weights: Readonly<Partial<Record<RecordStepName, number>>> = { create: 3, remove: 2 }

export const recordStep: fc.Arbitrary<RecordStep> = fc.record({
  is: fc.oneof(
    ...recordSteps.map((name) => ({
      weight: weights[name] ?? 1,
      arbitrary: fc.constant<RecordStepName>(name),
    })),
  ),
  at: fc.nat(mostAtOnce),
})

const pathOf = ({ id }: Kept): string => `/${encodeURIComponent(id)}`

interface Sending {
  name: 'creations' | 'updates' | 'removals'
  request: ManageRequest
}

/** What the step sends. Where it has nothing to be done to, or no more may be there, another is done in its place. */
function sendingOf({ is, at }: RecordStep, webhooks: Webhooks, t: Writer): Sending {
  const all = [...webhooks.values()]
  const [there, gone] = [all.filter(({ isGone }) => !isGone), all.filter(({ isGone }) => isGone)]
  const one = there[at % there.length]
  const creation: Sending = { name: 'creations', request: { body: webhookBody(t) } }
  const update = (kept: Kept, change: Change): Sending => ({
    name: 'updates',
    request: { method: 'PATCH', path: pathOf(kept), body: changes[change](t, at) },
  })
  if (!one) return creation
  if (is === 'create') return there.length < mostAtOnce ? creation : update(one, 'rename')
  if (is === 'remove') return { name: 'removals', request: { method: 'DELETE', path: pathOf(one) } }
  if (is !== 'revive') return update(one, is)
  const dead = gone[at % gone.length]
  return update(dead ?? one, 'rename')
}

/** Runs a course with webhooks of its own: each step, and then the list. None of them is left. */
export async function walkRecords(t: Driver<RecordNames>, steps: readonly RecordStep[]): Promise<void> {
  let webhooks: Webhooks = new Map()
  for (const step of steps) {
    const { name, request } = sendingOf(step, webhooks, t)
    webhooks = after(webhooks, await t.manageMore(name, request))
    await listNow(t, webhooks)
  }
  for (const kept of webhooks.values())
    if (!kept.isGone) await t.manageMore('removals', { method: 'DELETE', path: pathOf(kept) })
}

export async function listNow(t: Pick<Driver<'lists[]'>, 'manageMore'>, webhooks: Webhooks): Promise<void> {
  await t.manageMore('lists', { until: (list) => isAsKept(list, webhooks) })
}
