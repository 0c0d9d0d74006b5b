/** All kinds of what is kept of a tenant, in the order in which they are put back. */
import type { Kind } from '../../tenant/changes.ts'
import { accountData } from './account-data.ts'
import { accounts } from './accounts.ts'
import { approvals } from './approvals.ts'
import { conversations, offers } from './conversations.ts'
import { deliveries, endpoints } from './deliveries.ts'
import { histories } from './histories.ts'
import { keys, olderKeys } from './keys.ts'
import { runs } from './runs.ts'
import { settings } from './settings.ts'
import type { Shelf } from './codec.ts'
import { tasks } from './tasks.ts'
import { webhooks } from './webhooks.ts'

export const shelves: Readonly<Record<Kind, Shelf>> = {
  settings,
  account: accounts,
  data: accountData,
  conversation: conversations,
  offer: offers,
  key: keys,
  'older-key': olderKeys,
  history: histories,
  run: runs,
  approval: approvals,
  task: tasks,
  webhook: webhooks,
  endpoint: endpoints,
  delivery: deliveries,
}
