/** What the client of a recording did, by what it was answered. */
import { isObject } from '../../spec/json.ts'
import { codesOf, isReplay, object, statusOf } from '../assertions/answer.ts'
import { canonical } from '../assertions/reply.ts'
import { asked, conversationOf, replied } from '../assertions/turn.ts'
import {
  buttonsOf,
  isStale,
  presents,
  sameButton,
  type Interaction,
} from '../chat/assertions/presentation.ts'
import { retryAfterSeconds } from '../chat/assertions/rate.ts'
import { apiKeyOf, credentialOf, requestHeaders } from '../clients/assertions/request.ts'
import { noOtherKey } from '../clients/assertions/retry.ts'
import { isFinal, stateShown } from '../operations/assertions/task.ts'
import { isTurn, keyOf, leastKey, placeOf } from '../rules/chat.ts'
import { eachOf, ruleOver, those } from '../rules/rule.ts'
import { check, fail, inconclusive, observed, pass, warn } from '../scenario/expect.ts'
import type { AnyScenario, Context, Judgement } from '../scenario/scenario.ts'
import { memo } from '../wire/memo/memo.ts'
import type { Exchange } from '../wire/exchange.ts'

type All = readonly Exchange[]

const sentBy = memo((all: All): All => all.filter(({ inbound }) => !inbound))
const turnsIn = memo((all: All): All => all.filter(isSentTurn))
const withKey = (one: Exchange): string => `${placeOf(one)} ${keyOf(one)}`
const turnsByKey = memo((all: All) => Map.groupBy(turnsIn(all), withKey))
const turnsByConversation = memo((all: All) => Map.groupBy(turnsIn(all), conversationOf))
/** The reply of which may be lost. */
const isSentTurn = ({ inbound, request }: Exchange): boolean =>
  !inbound && request.method === 'POST' && request.path.startsWith('/api/v1/chat/')

const refusedAs =
  (code: string) =>
  (one: Exchange): boolean =>
    isTurn(one) && codesOf(one).includes(code)
const meaningOf = (one: Exchange): string => {
  const { stream: _, idempotency_key: __, ...meaning } = asked(one) ?? {}
  return canonical(meaning)
}

const withConversation = (one: Exchange): string =>
  `${one.request.path} ${String(asked(one)?.['conversation_id'])}`
const turnsInSame = memo((all: All) => Map.groupBy(turnsIn(all), withConversation))

/** The turns after it, in the order of time. */
const laterIn = (turns: All = [], one: Exchange): All =>
  turns.filter((other) => other.sentAt >= one.endedAt && other !== one)
/** Of the same principal to the same agent, with the same key. */
const laterWithKey = (all: All, one: Exchange): All => laterIn(turnsByKey(all).get(withKey(one)), one)
/** To the same agent, in the same conversation, by the same principal for all that is known. */
const laterInSame = (all: All, one: Exchange): All =>
  laterIn(turnsInSame(all).get(withConversation(one)), one).filter(
    ({ request }) => request.principal === null || request.principal === one.request.principal,
  )

/** What a browser asks ahead of a request has none. */
const needsKey = ({ request }: Exchange): boolean =>
  request.method !== 'OPTIONS' && request.path.startsWith('/api/')
/** The recording does not show whose request it is. */
export const isHidden = ({ request }: Exchange): boolean => request.principal === null
export const hiddenKeys = memo((all: All): string => {
  const { length } = sentBy(all).filter((one) => isHidden(one) && needsKey(one))
  return `${length} requests do not show their API key (redacted, or left out): whether it is valid, and what takes two requests with one key, is not judged`
})

/** After that, the same first message is rather one of another customer. */
const mostBetweenTriesMs = 60_000

/**
 * A new key for the message of a failed turn, in the next turn of its conversation. For a first message it only warns,
 * because two customers may send the same one.
 */
function keepsKey(all: All, one: Exchange, expected: string, worst: 'fail' | 'warn'): Judgement {
  const [next] = laterInSame(all, one)
  if (next && isHidden(next)) return inconclusive(hiddenKeys(all))
  const isSame = next && meaningOf(next) === meaningOf(one)
  if (!isSame || keyOf(next) === null || keyOf(next) === keyOf(one)) return pass
  const isFirst = typeof asked(one)?.['conversation_id'] !== 'string'
  if (isFirst && next.sentAt - one.endedAt > mostBetweenTriesMs) return pass
  return (isFirst || worst === 'warn' ? warn : fail)(expected, 'the same message with another key', next)
}

/** The turn may have run, or may run yet. */
const isUnanswered = (one: Exchange): boolean =>
  one.failure?.kind === 'reset' || statusOf(one) === 500 || statusOf(one) === 503

/** Each by what the same client sent besides. */
const ofClient =
  (what: string, holds: (one: Exchange) => boolean, judge: (all: All, one: Exchange) => Judgement) =>
  (all: All) =>
    eachOf(those(sentBy(all), holds), what, (one) =>
      isHidden(one) ? inconclusive(hiddenKeys(all)) : judge(all, one),
    )

/** A second of grace: clocks and networks differ. */
const graceMs = 1_000
/** By return, the next request takes a few milliseconds; on a busy machine some more. */
const atOnceMs = 250

/** What a conversation offered whose first turn and buttons are in the recording; null for another. */
function offeredTo(all: All, press: Exchange): readonly Interaction[] | null {
  const conversation = asked(press)?.['conversation_id']
  const seen = (turnsByConversation(all).get(String(conversation)) ?? []).filter(
    (one) => one.endedAt <= press.sentAt,
  )
  const begun = seen.find((one) => asked(one)?.['conversation_id'] === undefined && !isReplay(one))
  const isWhole =
    begun !== undefined &&
    seen.every((one) => replied(one).is === 'pass' && (!presents(one) || buttonsOf(one).length > 0))
  return isWhole ? seen.flatMap((one) => buttonsOf(one)) : null
}

const isPress = (one: Exchange): boolean => isTurn(one) && isObject(asked(one)?.['interaction'])
const pressed = (press: Exchange) => asked(press)?.['interaction'] as Interaction

export const turnsOfClient = ruleOver('the client sends each turn once, or again as it was', {
  'LIB-KEY-REQUIRED': (all) =>
    eachOf(those(sentBy(all), isTurn), 'turns', (one) =>
      check(
        !codesOf(one).includes('IDEMPOTENCY_KEY_REQUIRED'),
        'a turn with an idempotency key',
        'one without',
        one,
      ),
    ),
  'LIB-SENT-AGAIN': ofClient(
    `turns with a key of ${leastKey} characters`,
    (one) => isSentTurn(one) && keyOf(one) !== null,
    (all, one) => {
      if (!refusedAs('IDEMPOTENCY_CONFLICT')(one))
        return isUnanswered(one) ? keepsKey(all, one, 'the same key again after no reply', 'warn') : pass
      const own = turnsByKey(all).get(withKey(one)) ?? []
      return own.some((other) => meaningOf(other) !== meaningOf(one))
        ? fail('a key that is used for one message', 'another message under the same key', one)
        : inconclusive('the recording has the key with the same message alone')
    },
  ),
  'LIB-UNCERTAIN': ofClient('turns of uncertain outcome', refusedAs('OUTCOME_UNCERTAIN'), (all, one) =>
    keyOf(one) === null
      ? inconclusive('its key may be one of several turns')
      : keepsKey(all, one, noOtherKey, 'fail'),
  ),
  'LIB-IN-PROGRESS': ofClient('turns in progress', refusedAs('REQUEST_IN_PROGRESS'), (all, one) => {
    const again = keyOf(one) === null ? undefined : laterWithKey(all, one)[0]
    if (!again) return inconclusive('it was not sent again')
    return check(meaningOf(again) === meaningOf(one), 'the same request again', 'another one', again)
  }),
  'LIB-RATE-WAIT': ofClient(
    'turns over the limit',
    (one) => isTurn(one) && retryAfterSeconds(one) !== null,
    (all, one) => {
      const again = laterWithKey(all, one).find((other) => meaningOf(other) === meaningOf(one))
      if (!again) return inconclusive('it was not sent again')
      const waited = Math.round(again.sentAt - one.endedAt)
      if (waited < atOnceMs) return fail('a wait before the next try', `${waited} ms`, again)
      // That it is a number is not shown: a client may not read a text as one.
      const seconds = object(one)?.['retry_after_seconds']
      return typeof seconds === 'number' && waited + graceMs < 1_000 * seconds
        ? warn(`a wait of ${seconds} s`, `${waited} ms`, again)
        : pass
    },
  ),
  'LIB-INTERACTION': (all) =>
    eachOf(those(sentBy(all), isPress), 'selected buttons', (press) => {
      const offered = offeredTo(all, press)
      if (offered === null) return inconclusive('its conversation was not wholly seen')
      return check(
        offered.some((one) => sameButton(one, pressed(press))),
        'a button of the conversation',
        'another one',
        press,
      )
    }),
  'LIB-STALE': ofClient(
    'superseded buttons',
    (one) => isPress(one) && isStale(one),
    (all, one) => {
      const isAgain = (other: Exchange): boolean => isPress(other) && sameButton(pressed(other), pressed(one))
      const same = laterInSame(all, one).filter(isAgain)
      const again = same.find((other) => !isHidden(other))
      if (same.length > 0 && !again) return inconclusive(hiddenKeys(all))
      return check(again === undefined, 'a current button', 'the superseded one again', again ?? one)
    },
  ),
})

/** A recorder that answers requests for its test may know one of the two alone. */
const ofBrowsers = ['sec-fetch-site', 'sec-ch-ua'] as const
const ofForwarders = ['via', 'forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'] as const
const hasAny = (one: Exchange, names: readonly string[]): boolean =>
  names.some((name) => requestHeaders(one, name).length > 0)

/** What a page asks its own server for reaches the service only if that server hands it on. */
const isFromPage = (one: Exchange): boolean =>
  hasAny(one, ['origin']) &&
  hasAny(one, ofBrowsers) &&
  !hasAny(one, ofForwarders) &&
  !requestHeaders(one, 'sec-fetch-site').includes('same-origin')

const originAndPath = (one: Exchange): string => `${requestHeaders(one, 'origin')[0]} ${one.request.path}`

/**
 * A browser alone asks whether a page may send credentials, and has none itself. The headers of a page may also be
 * those that a backend hands on, with its key.
 */
const preflightsIn = memo(
  (all: All): ReadonlySet<string> =>
    new Set(
      all
        .filter(
          (one) =>
            one.request.method === 'OPTIONS' &&
            credentialOf(one) === '' &&
            requestHeaders(one, 'access-control-request-headers').some((names) =>
              /\bauthorization\b/i.test(names),
            ),
        )
        .map(originAndPath),
    ),
)

/** Of a key that no other request of the recording may show. */
const redactedKey = /\[\[key:[\w.:-]+:[\da-f]{8}\]\]/
/** A token that stands for a key, or the key itself. */
const mayHaveKey = ({ request }: Exchange, key: string): boolean =>
  key.length > 8 && (request.path.includes(key) || request.path.includes(encodeURIComponent(key)))

const keptKeys = ruleOver('the client keeps its key to itself, and works round no refusal', {
  'LIB-KEY-SERVER-SIDE': (all) => {
    const keys = [...new Set(sentBy(all).map(apiKeyOf))]
    return eachOf(those(sentBy(all), needsKey), 'requests', (one) => {
      if (redactedKey.test(one.request.path) || keys.some((key) => mayHaveKey(one, key)))
        return warn('no key in an address, which servers log', 'the key of a client', one)
      if (!isFromPage(one)) return pass
      if (apiKeyOf(one) === '') return credentialOf(one) === '' ? inconclusive(hiddenKeys(all)) : pass
      return preflightsIn(all).has(originAndPath(one))
        ? fail('no key in a browser', 'a request of a page with the key', one)
        : warn('no key in a browser', 'the key beside headers of a browser, which a server may hand on', one)
    })
  },
})

const isTaskRead = ({ request }: Exchange): boolean =>
  request.method === 'GET' && /^\/api\/v1\/tasks\/[^/?]+$/.test(request.path)
const isRefused = (one: Exchange): boolean => statusOf(one) === 402 || statusOf(one) === 403
/** What is left to a client: how often it asked again for what it had been answered. */
function timesAfter(all: All, holds: (one: Exchange) => boolean, what: string): Judgement {
  const answered = new Set<string>()
  let again = 0
  for (const one of sentBy(all)) {
    const name = `${one.request.method} ${placeOf(one)} ${Buffer.from(one.request.body).toString('latin1')}`
    if (answered.has(name)) again++
    if (holds(one) && one.request.principal !== null) answered.add(name)
  }
  return answered.size > 0 ? observed(`${what}: ${again} requests`) : inconclusive('the recording has none')
}

export const workOfClient: AnyScenario = {
  ...keptKeys,
  observe: {
    'GAP-CLIENT-POLL': ({ all }: { all: All }, { dialect }: Context) =>
      timesAfter(
        all,
        (one) => isTaskRead(one) && isFinal(stateShown(one, dialect)),
        'read again after a final state',
      ),
    'GAP-CLIENT-RETRY': ({ all }: { all: All }) =>
      timesAfter(all, isRefused, 'sent again after a 402 or 403'),
  } as unknown as NonNullable<AnyScenario['observe']>,
}
