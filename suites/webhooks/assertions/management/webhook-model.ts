/** The webhooks of a sequence after each request: to wait for a list, and to compare a delivery with. */
import type { Exchange } from '../../../wire/exchange.ts'
import { memo } from '../../../wire/memo/memo.ts'
import { wasAccepted, identityOf, showsWith, listedWebhooks } from './webhook-record.ts'
import type { Fields } from '../../../assertions/reply.ts'
import { asked } from '../../../assertions/turn.ts'

export interface ModelledWebhook {
  id: string
  creation: Exchange
  /** The last value given to each member. */
  fields: Fields
  isGone: boolean
  /** The result of a request is unknown, and so is the state of the webhook. */
  isUnclear: boolean
}

export type Webhooks = ReadonlyMap<string, ModelledWebhook>

interface Asked {
  id: string | null
  /** The path after the id, such as `test`. */
  tail: string | null
}

export const aboutOf = memo(({ request: { path } }: Exchange): Asked => {
  const [, id, tail] = /\/webhooks(?:\/([^/?]+))?(?:\/(\w+))?$/.exec(path) ?? []
  return { id: id === undefined ? null : decodeURIComponent(id), tail: tail ?? null }
})

export const isUpdate = ({ request: { method } }: Exchange): boolean => method === 'PATCH'
const isSent = ({ inbound }: Exchange): boolean => inbound === undefined

/** An update or a removal that was clearly refused changed nothing. */
const isRefused = ({ response, failure }: Exchange): boolean =>
  failure === null && response !== null && response.status >= 400 && response.status < 500

export function updatedBy(webhooks: Webhooks, sent: Exchange): Webhooks {
  const { id, tail } = aboutOf(sent)
  const { method } = sent.request
  if (method === 'POST' && id === null) return withCreated(webhooks, sent)
  const known = id === null ? undefined : webhooks.get(id)
  if (!known || tail !== null || !['PATCH', 'DELETE'].includes(method) || isRefused(sent)) return webhooks
  return new Map(webhooks).set(known.id, changed(known, sent))
}

function withCreated(webhooks: Webhooks, creation: Exchange): Webhooks {
  const identity = identityOf(creation)
  if (!identity || !wasAccepted(creation)) return webhooks
  const fields = asked(creation) ?? {}
  const { id } = identity
  return new Map(webhooks).set(id, { id, creation, fields, isGone: false, isUnclear: false })
}

function changed(known: ModelledWebhook, sent: Exchange): ModelledWebhook {
  if (!wasAccepted(sent)) return { ...known, isUnclear: true }
  if (sent.request.method === 'DELETE') return { ...known, isGone: true }
  // A removed webhook stays removed, whatever the response to an update.
  return known.isGone ? known : { ...known, fields: { ...known.fields, ...asked(sent) } }
}

export function allAfter(course: readonly Exchange[]): Webhooks {
  return course.filter(isSent).reduce(updatedBy, new Map<string, ModelledWebhook>() as Webhooks)
}

/** Whether a list is in the expected state, used for polling. */
export function isAsKept(list: Exchange, webhooks: Webhooks): boolean {
  return [...webhooks.values()].every(({ id, fields, isGone, isUnclear }) => {
    if (isUnclear) return true
    const isListed = listedWebhooks(list)?.some((one) => one['id'] === id) ?? false
    return isGone ? !isListed : showsWith(list, id, fields)
  })
}
