/** The commands of a webhook sequence as plain data, and the request that each sends. */
import * as fc from 'fast-check'
import type { Driver } from '../../scenario/scenario.ts'
import type { Json } from '../../wire/exchange.ts'
import type { ManageRequest } from '../../scenario/webhook-driver.ts'
import {
  updatedBy,
  isAsKept,
  type ModelledWebhook,
  type Webhooks,
} from '../assertions/management/webhook-model.ts'
import { elsewhere, seldom, webhookBody } from '../webhook-requests.ts'

export type RecordNames = 'creations[]' | 'updates[]' | 'removals[]' | 'lists[]'

/** The most webhooks at a time: few enough for agents with a low limit. */
export const mostAtOnce = 3

type Writer = Pick<Driver, 'text' | 'uuid'>

/** The members of an update, by its command; `what` selects among values. */
export const changes = {
  rename: ({ text }) => ({ name: text(24) }),
  move: (t) => ({ endpoint_url: elsewhere(t) }),
  select: (_t, what) => ({ events: [selections[what % selections.length] ?? seldom] }),
  reheader: ({ uuid }) => ({
    custom_headers: { 'X-Touchstone': uuid(), [`X-Touchstone-${uuid().slice(0, 8)}`]: 'two' },
  }),
} as const satisfies Readonly<Record<string, (t: Writer, what: number) => Readonly<Record<string, Json>>>>
export type WebhookChange = keyof typeof changes
export const changeNames = Object.keys(changes) as readonly WebhookChange[]

/** These events rarely happen together. */
const selections = [seldom, 'payment.verified', 'order.confirmed'] as const

/** `revive`: an update of a removed webhook. */
type RecordStepName = WebhookChange | 'create' | 'remove' | 'revive'

export interface RecordStep {
  is: RecordStepName
  /** An index, modulo the number of webhooks. */
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

const pathOf = ({ id }: ModelledWebhook): string => `/${encodeURIComponent(id)}`

interface Sending {
  name: 'creations' | 'updates' | 'removals'
  request: ManageRequest
}

/** The request of the command. If it has no webhook, or there are too many, another command runs instead. */
function sendingOf({ is, at }: RecordStep, webhooks: Webhooks, t: Writer): Sending {
  const all = [...webhooks.values()]
  const [there, gone] = [all.filter(({ isGone }) => !isGone), all.filter(({ isGone }) => isGone)]
  const one = there[at % there.length]
  const creation: Sending = { name: 'creations', request: { body: webhookBody(t) } }
  const update = (kept: ModelledWebhook, change: WebhookChange): Sending => ({
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

/** Runs a sequence with its own webhooks, and lists them after each command. All are removed. */
export async function runRecordSequence(t: Driver<RecordNames>, steps: readonly RecordStep[]): Promise<void> {
  let webhooks: Webhooks = new Map()
  for (const step of steps) {
    const { name, request } = sendingOf(step, webhooks, t)
    webhooks = updatedBy(webhooks, await t.manageMore(name, request))
    await listNow(t, webhooks)
  }
  for (const kept of webhooks.values())
    if (!kept.isGone) await t.manageMore('removals', { method: 'DELETE', path: pathOf(kept) })
}

export async function listNow(t: Pick<Driver<'lists[]'>, 'manageMore'>, webhooks: Webhooks): Promise<void> {
  await t.manageMore('lists', { until: (list) => isAsKept(list, webhooks) })
}
