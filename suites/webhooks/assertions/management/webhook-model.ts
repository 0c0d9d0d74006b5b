/**
 * What every webhook of a course has to be by the requests so far. The same reckoning tells the walk what a list may
 * be waited for, and the judges what it has to show. Each list is held against the one before it: what lies between
 * them is to blame.
 */
import type { SequenceJudge } from '../../../models/sequences.ts'
import type { Judgement } from '../../../scenario/judgement.ts'
import type { ClauseId } from '../../../../spec/index.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { every, given, pass } from '../../../scenario/expect.ts'
import { taken, wasTaken } from './managed.ts'
import type { Fields } from '../../../assertions/reply.ts'
import { asked } from '../../../assertions/turn.ts'
import {
  entryOf,
  identityOf,
  isAbsent,
  isListed,
  listedAs,
  sameLasting,
  showsUpdated,
  showsWith,
  webhooksOf,
  type Lasting,
} from './webhook-record.ts'

export interface Kept {
  id: string
  creation: Exchange
  /** Every member as it was last given. */
  fields: Fields
  isGone: boolean
  /** A request about it had no clear answer: what it is now is not known. */
  isUnclear: boolean
}

export type Webhooks = ReadonlyMap<string, Kept>

interface Asked {
  id: string | null
  /** What stands behind the id, such as `test`. */
  tail: string | null
}

/** What a management request is about. */
export function aboutOf({ request: { path } }: Exchange): Asked {
  const [, id, tail] = /\/webhooks(?:\/([^/?]+))?(?:\/(\w+))?$/.exec(path) ?? []
  return { id: id === undefined ? null : decodeURIComponent(id), tail: tail ?? null }
}

export const isUpdate = ({ request: { method } }: Exchange): boolean => method === 'PATCH'
const isList = (one: Exchange): boolean => one.request.method === 'GET' && aboutOf(one).id === null
const isSent = ({ inbound }: Exchange): boolean => inbound === undefined

/** An update or a removal that was clearly refused did nothing. */
const isRefused = ({ response, failure }: Exchange): boolean =>
  failure === null && response !== null && response.status >= 400 && response.status < 500

export function after(webhooks: Webhooks, sent: Exchange): Webhooks {
  const { id, tail } = aboutOf(sent)
  const { method } = sent.request
  if (method === 'POST' && id === null) return withCreated(webhooks, sent)
  const known = id === null ? undefined : webhooks.get(id)
  if (!known || tail !== null || !['PATCH', 'DELETE'].includes(method) || isRefused(sent)) return webhooks
  return new Map(webhooks).set(known.id, changed(known, sent))
}

function withCreated(webhooks: Webhooks, creation: Exchange): Webhooks {
  const identity = identityOf(creation)
  if (!identity || !wasTaken(creation)) return webhooks
  const fields = asked(creation) ?? {}
  const { id } = identity
  return new Map(webhooks).set(id, { id, creation, fields, isGone: false, isUnclear: false })
}

function changed(known: Kept, sent: Exchange): Kept {
  if (!wasTaken(sent)) return { ...known, isUnclear: true }
  if (sent.request.method === 'DELETE') return { ...known, isGone: true }
  // What is removed stays so, whatever an update is answered.
  return known.isGone ? known : { ...known, fields: { ...known.fields, ...asked(sent) } }
}

export function allAfter(course: readonly Exchange[]): Webhooks {
  return course.filter(isSent).reduce(after, new Map<string, Kept>() as Webhooks)
}

/** Whether a list is as it has to be by now; for how often it is asked for. */
export function isAsKept(list: Exchange, webhooks: Webhooks): boolean {
  return [...webhooks.values()].every(({ id, fields, isGone, isUnclear }) => {
    if (isUnclear) return true
    const isListed = webhooksOf(list)?.some((one) => one['id'] === id) ?? false
    return isGone ? !isListed : showsWith(list, id, fields)
  })
}

/** A list, the one before it, and what was sent between the two. */
interface Look {
  before: Exchange | null
  between: readonly Exchange[]
  list: Exchange
  /** As they had to be at the list before, and at this one. */
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
    webhooks = after(webhooks, sent)
    if (isList(sent)) {
      looks.push({ before, between, list: sent, earlier, webhooks })
      before = sent
      earlier = webhooks
      between = []
    } else between.push(sent)
  }
  return looks
}

/** Judges every webhook of every list that is known to be there, or every one that is known to be gone. */
function overLooks(
  course: readonly Exchange[],
  concerns: (kept: Kept, look: Look) => boolean,
  judge: (kept: Kept, look: Look) => Judgement,
): Judgement {
  const judged = looksOf(course).flatMap((look) =>
    [...look.webhooks.values()]
      .filter((kept) => !kept.isUnclear && concerns(kept, look))
      .map((kept) => judge(kept, look)),
  )
  return every(judged, (one) => one)
}

/** The members that the updates between two lists name for this webhook. */
function namedFor({ id }: Kept, { between }: Look): readonly string[] {
  return between
    .filter((one) => isUpdate(one) && aboutOf(one).id === id)
    .flatMap((one) => Object.keys(asked(one) ?? {}))
}

const isNew = ({ creation }: Kept, { between }: Look): boolean => between.includes(creation)
const isThere = ({ isGone }: Kept): boolean => !isGone
const wasListed = ({ creation }: Kept, { before }: Look): boolean =>
  before !== null && entryOf(before, creation) !== undefined

/** As it was created, and still so after whatever was done that is no update. */
const asCreated: SequenceJudge = (course) =>
  overLooks(
    course,
    (kept, look) =>
      isThere(kept) && !look.between.some(isUpdate) && (isNew(kept, look) || wasListed(kept, look)),
    (kept, look) =>
      isNew(kept, look)
        ? listedAs(look.list, kept.creation)
        : given(isListed(look.list, kept.creation), () => unchanged(kept, look, [])),
  )

function unchanged({ creation }: Kept, { before, list }: Look, named: readonly string[]): Judgement {
  return before === null ? pass : sameLasting(creation, before, list, named)
}

/** After an update: what it does not name, of this webhook and of every other. */
const restKept: SequenceJudge = (course) =>
  overLooks(
    course,
    (kept, look) =>
      isThere(kept) && look.between.some(isUpdate) && !isNew(kept, look) && wasListed(kept, look),
    (kept, look) =>
      given(updatesTaken(look), () =>
        given(isListed(look.list, kept.creation), () => unchanged(kept, look, namedFor(kept, look))),
      ),
  )

/** Of a removed webhook an update may be refused: it has nothing to change. */
function updatesTaken({ between, earlier }: Look): Judgement {
  const live = between.filter((one) => isUpdate(one) && earlier.get(aboutOf(one).id ?? '')?.isGone !== true)
  return live.length === 0 ? pass : every(live, taken)
}

/**
 * After an update that names it, the list shows this member as it was given. Only where it showed the member rightly
 * before: else the update is not to blame.
 */
const updated =
  (name: Lasting): SequenceJudge =>
  (course) =>
    overLooks(
      course,
      (kept, look) => isThere(kept) && namedFor(kept, look).includes(name),
      (kept, { before, between, list, earlier }) => {
        const { id, creation, fields } = kept
        const was = before && showsUpdated(before, creation, name, earlier.get(id)?.fields[name])
        return given(was === null || was.is === 'weak' ? pass : was, () =>
          given(every(between.filter(isUpdate), taken), () =>
            given(isListed(list, creation), () => showsUpdated(list, creation, name, fields[name])),
          ),
        )
      },
    )

/** What was listed, and then removed, is on no later list. */
const staysGone: SequenceJudge = (course) => {
  const listed = new Set<string>()
  for (const { list, webhooks } of looksOf(course))
    for (const { id, creation } of webhooks.values()) if (entryOf(list, creation)) listed.add(id)
  return overLooks(
    course,
    ({ isGone, id }) => isGone && listed.has(id),
    ({ creation }, { list }) => isAbsent(list, creation),
  )
}

export const recordModel = {
  'HOOK-LIST-AS-SENT': asCreated,
  'HOOK-UPDATE-NAME': updated('name'),
  'HOOK-UPDATE-ENDPOINT': updated('endpoint_url'),
  'HOOK-UPDATE-EVENTS': updated('events'),
  'HOOK-UPDATE-HEADERS': updated('custom_headers'),
  'HOOK-UPDATE-REST': restKept,
  'HOOK-DELETE': staysGone,
} as const satisfies Readonly<Partial<Record<ClauseId, SequenceJudge>>>
