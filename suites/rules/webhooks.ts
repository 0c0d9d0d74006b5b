/** Rules over all webhooks of the run, and over all requests that came to its receivers. */
import { webhookEvents } from '../../spec/index.ts'
import type { Judgement } from '../scenario/scenario.ts'
import { isObject } from '../../spec/json.ts'
import { secretOf } from '../wire/signature-facts.ts'
import { createLeakDetector } from '../../bundle/redaction/leaks.ts'
import { asked } from '../assertions/turn.ts'
import { check, citing, every, given, fail, inconclusive, notApplicable, pass } from '../scenario/expect.ts'
import { header, identifiersIn, type Exchange } from '../wire/exchange.ts'
import { memo } from '../wire/memo/memo.ts'
import {
  attemptsIn,
  deliveredEvent,
  deliveriesIn,
  isTestDelivery,
} from '../webhooks/assertions/deliveries.ts'
import {
  carriesCustom,
  hasKnownEvent,
  hasNoFlagBeside,
  hasPayload,
  hasTimestamp,
  hasUserAgent,
  idBegins,
  isJsonTyped,
  isObjectBody,
  isOfAgent,
  isPost,
  namesItsEvent,
} from '../webhooks/assertions/delivery.ts'
import { hasNoSecretKey, leastLength, shownText } from '../webhooks/assertions/management/disclosure.ts'
import {
  wasAccepted,
  createdInUtc,
  createdWebhook,
  entryNamed,
  entryOf,
  hasWebhookList,
  identityOf,
  isAbsent,
  isListed,
  judgeEntry,
  listedAs,
  listedWebhooks,
} from '../webhooks/assertions/management/webhook-record.ts'
import { aboutOf, isUpdate } from '../webhooks/assertions/management/webhook-model.ts'
import {
  has64Characters,
  hasPrefix,
  hasSignature,
  isHexadecimal,
  signedWith,
} from '../webhooks/assertions/signature.ts'
import { eachOf, ruleOver, those } from './rule.ts'

const ofDeliveries =
  (judge: (attempt: Exchange) => Judgement, holds: (attempt: Exchange) => boolean = () => true) =>
  (all: readonly Exchange[]): Judgement => {
    const attempts = plainAttempts(all)
    const judged = eachOf(those(attempts, holds), 'deliveries', judge)
    if (!('exchange' in judged)) return judged
    const own = deliveriesIn(attempts).find((one) => one.some(({ id }) => id === judged.exchange)) ?? []
    const at = own.findIndex(({ id }) => id === judged.exchange)
    const [first] = own
    // What is wrong with a repeat alone is seen beside the first attempt.
    return first && at > 0 && judge(first).is === 'pass'
      ? citing(
          judged,
          [first, 'attempt 1, which passes'],
          [own[at], `attempt ${at + 1} of the same delivery`],
        )
      : judged
  }

/**
 * A custom header may have the name of one of the service: which of them then counts is another clause. A redirect
 * may be followed without the body. What comes to such an address is left out; of an unknown webhook, wherever it comes.
 */
const plainAttempts = memo((all: readonly Exchange[]): readonly Exchange[] => {
  const odd = Map.groupBy(
    all.filter((one) => namesReserved(one) || isRedirected(one)),
    ({ scenario }) => scenario,
  )
  const isPlain = (attempt: Exchange): boolean => {
    const place = attempt.inbound?.place ?? '\n'
    const beside = odd.get(attempt.scenario) ?? []
    const own = ownersOf(all, attempt).flatMap(({ creation, updates }) => [creation, ...updates])
    return !beside.some((one) =>
      one.inbound
        ? one.inbound.place === place || header(one, 'location').some((url) => isAt(url, place))
        : own.length === 0 || own.some(({ id }) => id === one.id),
    )
  }
  return attemptsIn(all.filter((one) => one.inbound && isPlain(one)))
})

const isAt = (url: unknown, place: string): boolean =>
  typeof url === 'string' && url.split('?', 1)[0]?.endsWith(place) === true

const isRedirected = ({ inbound, response }: Exchange): boolean =>
  inbound !== null && response !== null && response.status >= 300 && response.status < 400

function namesReserved(exchange: Exchange): boolean {
  const { deliveryIdHeader, eventHeader, signatureHeader } = identifiersIn(exchange)
  const reserved = [deliveryIdHeader, eventHeader, signatureHeader, 'user-agent', 'content-type']
  const custom = exchange.inbound ? null : asked(exchange)?.['custom_headers']
  return isObject(custom) && Object.keys(custom).some((name) => reserved.includes(name.toLowerCase().trim()))
}

/** A webhook of the run, and every update and removal of it. */
interface Made {
  creation: Exchange
  updates: readonly Exchange[]
  removals: readonly Exchange[]
}

const routesOf = ({ request }: Exchange): string => request.path.replace(/\/webhooks\b.*/, '/webhooks')
const isManagement = ({ inbound, request }: Exchange): boolean =>
  !inbound && /^\/api\/agents\/[^/]+\/webhooks(?:\/|$)/.test(request.path)

const isRemoval = ({ request }: Exchange): boolean => request.method === 'DELETE'

const isCreation = (one: Exchange): boolean =>
  isManagement(one) && one.request.method === 'POST' && aboutOf(one).id === null

const madeIn = memo((all: readonly Exchange[]): readonly Made[] => {
  const sent = all.filter(isManagement)
  const nameOf = (one: Exchange, id: unknown): string => `${routesOf(one)} ${String(id)}`
  const changes = Map.groupBy(
    sent.filter((one) => isUpdate(one) || isRemoval(one)),
    (one) => nameOf(one, aboutOf(one).id),
  )
  return sent.filter(isCreation).flatMap((one) => {
    const id = wasAccepted(one) && identityOf(one)?.id
    if (typeof id !== 'string') return []
    // In memory, because each list is compared with it.
    const creation = { ...one, request: { ...one.request }, response: one.response && { ...one.response } }
    const own = changes.get(nameOf(one, id)) ?? []
    return [{ creation, updates: own.filter(isUpdate), removals: own.filter(isRemoval) }]
  })
})

const byRoutes = memo((all: readonly Exchange[]) =>
  Map.groupBy(madeIn(all), ({ creation }) => routesOf(creation)),
)
/** The webhooks of the agent of a list. */
const madeBeside = (all: readonly Exchange[], list: Exchange): readonly Made[] =>
  byRoutes(all).get(routesOf(list)) ?? []
const byName = memo((all: readonly Exchange[]) =>
  Map.groupBy(madeIn(all), ({ creation }) => asked(creation)?.['name']),
)

export const isHookList = (one: Exchange): boolean =>
  isManagement(one) && one.request.method === 'GET' && aboutOf(one).id === null && wasAccepted(one)

/** Each webhook in each list, by its creation. */
type Listed = [list: Exchange, creation: Exchange]

/** With the updates before the list. */
const listedIn = memo((all: readonly Exchange[]): readonly (Made & { list: Exchange })[] =>
  all.filter(isHookList).flatMap((list) =>
    madeBeside(all, list)
      .filter(({ creation }) => entryOf(list, creation))
      .map((one) => ({ ...one, list, updates: one.updates.filter(({ sentAt }) => sentAt < list.endedAt) })),
  ),
)

const ofListed =
  (judge: (...listed: Listed) => Judgement) =>
  (all: readonly Exchange[]): Judgement =>
    eachOf(
      listedIn(all).map(({ list, creation }): Listed => [list, creation]),
      'webhooks in lists',
      judge,
    )

/** What a service may take otherwise than it was sent: odd names, headers of its own, events that there are not. */
const isPlain: Readonly<Record<string, (sent: unknown) => boolean>> = {
  name: isPlainText,
  description: isPlainText,
  endpoint_url: (sent) => typeof sent === 'string' && sent.startsWith('https:'),
  events: (sent) => Array.isArray(sent) && sent.every((name) => Object.hasOwn(webhookEvents, String(name))),
  custom_headers: (sent) =>
    isObject(sent) &&
    Object.entries(sent).every(([name, value]) => /^X-[\w-]+$/i.test(name) && isPlainText(value)),
}

function isPlainText(sent: unknown): boolean {
  return typeof sent === 'string' && sent !== '' && sent.trim() === sent && !/[\p{C}\p{Zl}\p{Zp}]/u.test(sent)
}

const keptIn = (creation: Exchange, updates: readonly Exchange[]): readonly string[] => {
  const named = updates.flatMap((update) => Object.keys(asked(update) ?? {}))
  const sent = asked(creation) ?? {}
  return Object.keys(isPlain).filter((name) => !named.includes(name) && isPlain[name]?.(sent[name]))
}

/** Whatever was not updated is as it was created; an update is the cause where a list before it was right. */
const asSent = (isUpdated: boolean) => (all: readonly Exchange[]) => {
  const isRight = ({ list, creation, updates }: Made & { list: Exchange }): boolean =>
    listedAs(list, creation, keptIn(creation, updates)).is === 'pass'
  const { before = [], after = [] } = Object.groupBy(listedIn(all), ({ updates }) =>
    updates.length > 0 ? 'after' : 'before',
  )
  const changed = new Set(after.map(({ creation }) => creation))
  const right = before.filter((one) => changed.has(one.creation) && isRight(one))
  const wasRight = new Set(right.map(({ creation }) => creation))
  const judged = listedIn(all).filter(
    ({ creation, updates }) =>
      !namesReserved(creation) && (updates.length > 0 && wasRight.has(creation)) === isUpdated,
  )
  const updatesOf = new Map(
    judged.map(({ list, creation, updates }) => [`${list.id} ${creation.id}`, updates]),
  )
  return eachOf(
    judged.map(({ list, creation }): Listed => [list, creation]),
    isUpdated ? 'webhooks in lists after an update' : 'webhooks in lists',
    (list, creation) =>
      listedAs(list, creation, keptIn(creation, updatesOf.get(`${list.id} ${creation.id}`) ?? [])),
  )
}

/** No answer has the secret of any webhook. */
const withoutSecret =
  (what: string, holds: (one: Exchange) => boolean) =>
  (all: readonly Exchange[]): Judgement =>
    eachOf(
      those(all, (one) => isManagement(one) && wasAccepted(one) && holds(one)),
      what,
      (answer) =>
        check(!leaksIn(all).in(shownText(answer)), 'an answer without the secret', 'the secret', answer),
    )

const leaksIn = memo((all: readonly Exchange[]) => {
  const detector = createLeakDetector()
  for (const { creation } of madeIn(all)) {
    const secret = secretOf(creation) ?? ''
    if (secret.length >= leastLength) detector.learn(secret)
  }
  return detector
})

const removalsIn = memo((all: readonly Exchange[]): readonly Exchange[] =>
  all.filter((one) => isManagement(one) && isRemoval(one)),
)
const listsIn = memo((all: readonly Exchange[]) => Map.groupBy(all.filter(isHookList), routesOf))

/** Each list, with the one before that is of the same agent. */
const listPairs = (all: readonly Exchange[]): readonly [before: Exchange, list: Exchange][] =>
  [...listsIn(all).values()].flatMap((lists) =>
    lists.slice(1).flatMap((list, at): [Exchange, Exchange][] => {
      const before = lists[at]
      return before && before.endedAt < list.sentAt ? [[before, list]] : []
    }),
  )

const isRemovedBefore = ({ removals }: Made, list: Exchange): boolean =>
  removals.some((one) => one.endedAt < list.sentAt && wasAccepted(one))

/** Webhooks that a list shows and the next one does not, though nothing was removed. A removal may show late. */
const lostIn = (all: readonly Exchange[]): readonly Listed[] =>
  listPairs(all).flatMap(([before, list]) =>
    removalsIn(all).some((one) => one.endedAt >= before.sentAt && one.sentAt <= list.endedAt)
      ? []
      : madeBeside(all, list)
          .filter(({ creation }) => entryOf(before, creation))
          .filter((made) => isListed(list, made.creation).is === 'fail' && !isRemovedBefore(made, list))
          .map(({ creation }): Listed => [list, creation]),
  )

/** The webhooks of the agent of a list that were removed before it. */
export const removedBefore = (all: readonly Exchange[], list: Exchange): readonly Exchange[] =>
  madeBeside(all, list)
    .filter((made) => isRemovedBefore(made, list))
    .map(({ creation }) => creation)

/** What was removed, was not listed any more, and is in the last list: a copy of the data may be behind for a while. */
const backIn = (all: readonly Exchange[]): readonly Listed[] =>
  madeIn(all).flatMap(({ creation, removals }) => {
    const removal = removals.find(wasAccepted)
    if (!removal) return []
    const lists =
      listsIn(all)
        .get(routesOf(creation))
        ?.filter((one) => one.sentAt > removal.endedAt) ?? []
    const gone = lists.find((list) => isAbsent(list, creation).is === 'pass')
    return lists
      .slice(-1)
      .filter((list) => gone && list.sentAt > gone.endedAt)
      .map((list): Listed => [list, creation])
  })

/** That something is not listed counts where a list showed anything. */
export const whereListed = (all: readonly Exchange[], judged: Judgement): Judgement =>
  judged.is === 'pass' && listedIn(all).length === 0
    ? inconclusive('no list showed a webhook', every(all.filter(isCreation), createdWebhook))
    : judged

export const webhooks = ruleOver('every webhook in a list is as it was sent, without its secret', {
  'HOOK-LIST-AS-SENT': (all) => {
    const lost = lostIn(all)
    return lost.length > 0 ? eachOf(lost, 'webhooks in lists', isListed) : asSent(false)(all)
  },
  'HOOK-DELETE': (all) =>
    whereListed(all, eachOf(backIn(all), 'webhooks in lists after they were gone', isAbsent)),
  'HOOK-UPDATE-REST': asSent(true),
  'HOOK-LIST-OWN': (all) =>
    whereListed(
      all,
      eachOf(those(all, isHookList), 'lists of webhooks', (list) => {
        const named = listedWebhooks(list)?.flatMap(({ name }) => byName(all).get(name) ?? [])
        const foreign = named?.find(
          ({ creation, removals }) =>
            routesOf(creation) !== routesOf(list) &&
            removals.every((one) => one.endedAt > list.sentAt) &&
            entryNamed(list, creation),
        )
        return given(hasWebhookList(list), () =>
          check(!foreign, 'a list of the webhooks of one agent', 'one of another agent among them', list),
        )
      }),
    ),
  'HOOK-LIST-ACTIVE': ofListed((list, creation) =>
    judgeEntry(list, creation, ({ is_active: active }) =>
      check(typeof active === 'boolean', 'a boolean `is_active`', JSON.stringify(active) ?? 'none', list),
    ),
  ),
  'HOOK-LIST-CREATED-AT': ofListed(createdInUtc),
  'HOOK-LIST-NO-SECRET': (all) => {
    const judged = ofListed(hasNoSecretKey)(all)
    return judged.is === 'fail' ? judged : withoutSecret('lists of webhooks', isHookList)(all)
  },
  'HOOK-UPDATE-NO-SECRET': withoutSecret('updates', isUpdate),
  'LOG-NO-SECRET': withoutSecret('logs', (one) => aboutOf(one).tail === 'logs'),
})

/** The webhooks that ever had the address of a delivery, as they were created. */
function ownersOf(all: readonly Exchange[], { inbound, scenario }: Exchange): readonly Made[] {
  return madeIn(all).filter(
    ({ creation, updates }) =>
      creation.scenario === scenario &&
      [creation, ...updates].some((one) => isAt(asked(one)?.['endpoint_url'], inbound?.place ?? '\n')),
  )
}

/** Each delivery to a webhook that is known: it holds for one of those that have its address. */
const ofOwned =
  (judge: (attempt: Exchange, made: Made) => Judgement, holds: (attempt: Exchange) => boolean = () => true) =>
  (all: readonly Exchange[]): Judgement =>
    eachOf(those(plainAttempts(all), holds), 'deliveries', (attempt) => {
      const judged = ownersOf(all, attempt).map((made) => judge(attempt, made))
      return judged.find(({ is }) => is === 'pass') ?? judged[0] ?? inconclusive('its webhook is not known')
    })

export const deliveries = ruleOver('every delivery has the headers, the envelope and a signature', {
  'DLV-POST': ofDeliveries(isPost),
  'DLV-CONTENT-TYPE': ofDeliveries(isJsonTyped),
  'DLV-USER-AGENT': ofDeliveries(hasUserAgent),
  'DLV-EVENT-HEADER': ofDeliveries(namesItsEvent),
  'DLV-BODY': ofDeliveries(isObjectBody),
  'DLV-EVENT-TYPE': ofDeliveries(hasKnownEvent),
  'DLV-TIMESTAMP': ofDeliveries(hasTimestamp),
  'DLV-PAYLOAD': ofDeliveries(hasPayload),
  'DLV-TEST-FLAG': ofDeliveries(hasNoFlagBeside),
  'DLV-ID-LIVE': ofDeliveries(
    (one) => idBegins(one, 'whd_'),
    (one) => !isTestDelivery(one),
  ),
  'SIGN-HEADER': ofDeliveries(hasSignature),
  'SIGN-PREFIX': ofDeliveries(hasPrefix),
  'SIGN-LENGTH': ofDeliveries(has64Characters),
  'SIGN-HEX': ofDeliveries(isHexadecimal),
  'SIGN-VALUE': ofOwned((one, { creation }) => {
    const secret = secretOf(creation)
    return secret === null ? inconclusive('the creation returned no secret') : signedWith(one, secret)
  }),
  'DLV-CHATBOT': ofOwned((one, { creation }) => isOfAgent(one, creation)),
  'DLV-CUSTOM-HEADERS': ofOwned((one, { creation, updates }) => {
    const headers = asked(creation)?.['custom_headers']
    return isPlain['custom_headers']?.(headers) && updates.length === 0
      ? carriesCustom(one, headers as Readonly<Record<string, string>>)
      : notApplicable('its headers were updated, or are odd')
  }),
  'EVT-SELECTED-ONLY': ofOwned(
    (one, { creation, updates }) => {
      const selected = [creation, ...updates].flatMap((sent) => asked(sent)?.['events'] ?? [])
      const event = deliveredEvent(one)
      const isOpen = event === null || selected.length === 0 || !Object.hasOwn(webhookEvents, event)
      return isOpen || selected.includes(event)
        ? pass
        : fail(`one of ${selected.map(String).join(', ')}`, event, one)
    },
    (one) => !isTestDelivery(one),
  ),
})
