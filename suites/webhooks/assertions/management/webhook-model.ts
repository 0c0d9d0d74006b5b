/**
 * A model of the webhooks of a sequence after each request. The sequence uses it to wait for a list, and the judges
 * to check it. Each list is compared with the one before it: the requests between them are the cause.
 */
import type { SequenceJudge } from '../../../models/sequences.ts'
import type { Judgement } from '../../../scenario/scenario.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { memo } from '../../../wire/memo/memo.ts'
import { every, pass, inTurn, need } from '../../../scenario/expect.ts'
import {
  requestAccepted,
  wasAccepted,
  entryOf,
  identityOf,
  isListed,
  sameLasting,
  showsWith,
  listedWebhooks,
} from './webhook-record.ts'
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
const isList = (one: Exchange): boolean => one.request.method === 'GET' && aboutOf(one).id === null
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

/** A list, the one before it, and the requests between the two. */
interface Look {
  before: Exchange | null
  between: readonly Exchange[]
  list: Exchange
  /** The expected state at the list before, and at this one. */
  earlier: Webhooks
  webhooks: Webhooks
}

function looksOf(course: readonly Exchange[]): readonly Look[] {
  const looks: Look[] = []
  let before: Exchange | null = null
  let between: Exchange[] = []
  let earlier: Webhooks = new Map()
  let webhooks: Webhooks = new Map()
  for (const sent of course.filter(isSent)) {
    webhooks = updatedBy(webhooks, sent)
    if (isList(sent)) {
      looks.push({ before, between, list: sent, earlier, webhooks })
      before = sent
      earlier = webhooks
      between = []
    } else between.push(sent)
  }
  return looks
}

/** Judges every webhook of every list that is known to exist, or to be removed. */
function overLooks(
  course: readonly Exchange[],
  concerns: (kept: ModelledWebhook, look: Look) => boolean,
  judge: (kept: ModelledWebhook, look: Look) => Judgement,
): Judgement {
  const judged = looksOf(course).flatMap((look) =>
    [...look.webhooks.values()]
      .filter((kept) => !kept.isUnclear && concerns(kept, look))
      .map((kept) => judge(kept, look)),
  )
  return every(judged, (one) => one)
}

function namedFor({ id }: ModelledWebhook, { between }: Look): readonly string[] {
  return between
    .filter((one) => isUpdate(one) && aboutOf(one).id === id)
    .flatMap((one) => Object.keys(asked(one) ?? {}))
}

const isNew = ({ creation }: ModelledWebhook, { between }: Look): boolean => between.includes(creation)
const isThere = ({ isGone }: ModelledWebhook): boolean => !isGone
const wasListed = ({ creation }: ModelledWebhook, { before }: Look): boolean =>
  before !== null && entryOf(before, creation) !== undefined

function unchanged(
  { creation }: ModelledWebhook,
  { before, between, list }: Look,
  named: readonly string[],
): Judgement {
  if (before === null) return pass
  return sameLasting(creation, { before, after: list, updates: between.filter(isUpdate) }, named)
}

/** After an update: members that it does not name, of this webhook and of every other. */
export const restKept: SequenceJudge = (course) =>
  overLooks(
    course,
    (kept, look) =>
      isThere(kept) && look.between.some(isUpdate) && !isNew(kept, look) && wasListed(kept, look),
    (kept, look) =>
      inTurn(need(updatesTaken(look)), need(isListed(look.list, kept.creation)), () =>
        unchanged(kept, look, namedFor(kept, look)),
      ),
  )

/** An update of a removed webhook may be refused, since there is nothing to change. */
function updatesTaken({ between, earlier }: Look): Judgement {
  const live = between.filter((one) => isUpdate(one) && earlier.get(aboutOf(one).id ?? '')?.isGone !== true)
  return live.length === 0 ? pass : every(live, requestAccepted)
}
