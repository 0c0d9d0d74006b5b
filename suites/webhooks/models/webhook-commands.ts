/** The updates of a webhook sequence, and the list after each. */
import type { Driver } from '../../scenario/scenario.ts'
import type { Json } from '../../wire/exchange.ts'
import { isAsKept, type Webhooks } from '../assertions/management/webhook-model.ts'
import { elsewhere, seldom } from '../webhook-requests.ts'

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

export async function listNow(t: Pick<Driver<'lists[]'>, 'manageMore'>, webhooks: Webhooks): Promise<void> {
  await t.manageMore('lists', { until: (list) => isAsKept(list, webhooks) })
}
