/**
 * What holds for traffic that others sent. A recording has holes, and other clients are beside it: a rule is silent
 * where an exchange that is not in it could explain what it sees. Each row says whom it judges.
 */
import { limits, type ClauseId } from '../../spec/index.ts'
import { statusOf } from '../assertions/answer.ts'
import { charges } from '../rules/charges.ts'
import {
  chatRefusals,
  conversations,
  isTurn,
  keyOf,
  keys,
  leastKey,
  placeOf,
  replies,
  streams,
} from '../rules/chat.ts'
import { billingReads, receipts, schemas, tasks } from '../rules/operations.ts'
import { eachList, eachOf, ruleOver, those } from '../rules/rule.ts'
import { repeats, turnRefusals, turns } from '../rules/turns.ts'
import { deliveries, webhooks } from '../rules/webhooks.ts'
import { asked } from '../assertions/turn.ts'
import { check, fail, inconclusive, pass } from '../scenario/expect.ts'
import { notExercised, ScenarioEnded, stopped } from '../scenario/ending.ts'
import { byId, type AnyScenario, type Context, type Judgement } from '../scenario/scenario.ts'
import {
  attemptsIn,
  deliveryId,
  envelope,
  overAt,
  arrivedAt,
  took2xx,
} from '../webhooks/assertions/deliveries.ts'
import { canonical, inForm, isFresh } from '../assertions/reply.ts'
import { quick } from '../receivers/answers.ts'
import { header, text, type Exchange } from '../wire/exchange.ts'
import { givenSecret } from '../wire/signature-facts.ts'
import { memo } from '../wire/memo/memo.ts'
import { hiddenKeys, isHidden, turnsOfClient, workOfClient } from './client.ts'

type All = readonly Exchange[]

/** How long a key is remembered is not shown. */
const rememberedMs = 600_000

/** What the recording shows whole, but for keys that are sent again long after. */
const wholeIn = memo((all: All): All => {
  const began = new Map<string, number>()
  return all.filter((one) => {
    const key = keyOf(one)
    const name = `${placeOf(one)} ${key}`
    const first = began.get(name) ?? one.sentAt
    began.set(name, first)
    return one.failure?.kind !== 'cut' && !one.withheld && (key === null || one.sentAt - first < rememberedMs)
  })
})

/** What stands before a service answers for it when it is down. */
const ofServiceIn = memo((all: All): All => wholeIn(all).filter((one) => statusOf(one) < 500))

/** Why what is sent again shows nothing; null where each key that is sent again is its own. */
function notCompared(all: All): string | null {
  const short = all.filter((one) => isTurn(one) && (keyOf(one, 1)?.length ?? leastKey) < leastKey)
  const again = [...Map.groupBy(short, (one) => keyOf(one, 1)).values()].filter(({ length }) => length > 1)
  const [key] = again.flat().map((one) => keyOf(one, 1))
  if (key !== undefined)
    return `${again.flat().length} requests under keys of fewer than ${leastKey} characters, which others may have used before (\`${key}\`): not judged; use longer random keys`
  return all.some((one) => isTurn(one) && isHidden(one)) ? hiddenKeys(all) : null
}

/**
 * The clauses of a rule that hold for any traffic; what could not be decided was not seen. `unseen`: why there is nothing
 * to judge, where that is not that nothing was sent.
 */
function ofTraffic(
  rule: AnyScenario,
  without: readonly ClauseId[] = [],
  part = wholeIn,
  unseen: (all: All) => string | null = () => null,
): AnyScenario {
  type NamedJudge = (named: { all: All }, context: Context) => Judgement
  const judgedBy = (judge: NamedJudge, named: { all: All }, context: Context): Judgement => {
    try {
      return judge(named, context)
    } catch (thrown) {
      const because = thrown instanceof ScenarioEnded ? unseen(named.all) : null
      throw because === null ? thrown : notExercised('never-seen', because)
    }
  }
  const silently = (judge: unknown) => (named: { all: All }, context: Context) => {
    const judged = judgedBy(judge as NamedJudge, { all: part(named.all) }, context)
    if (judged.is !== 'inconclusive') return judged
    throw notExercised('never-seen', judged.because)
  }
  const all = <J extends object>(judges: J): J =>
    Object.fromEntries(
      Object.entries(judges)
        .filter(([subject]) => !without.some((one) => one === subject))
        .map(([subject, judge]) => [subject, silently(judge)]),
    ) as J
  return { ...rule, judge: all(rule.judge), ...(rule.observe && { observe: all(rule.observe) }) }
}

/** Seconds, by which a service that keeps its own time goes beyond the minute of the recording. */
const mostAhead = 120
const resetOf = (one: Exchange): number => Number(header(one, 'x-ratelimit-reset')[0] ?? Number.NaN)

/** A fixed window allows twice the limit across its boundary. The clock of a service under test may be moved. */
const accepted = (all: All): Judgement => {
  const turns = all.filter((one) => isTurn(one) && one.request.principal !== null && isFresh(one))
  const most = 2 * limits.chatRequestsPerMinute
  return eachList(Map.groupBy(turns, ({ request }) => request.principal).values(), 'shown keys', (own) => {
    const over = own.find((last, at) => {
      const first = own[at - most]
      if (first === undefined || last.endedAt - first.sentAt > 60_000) return false
      const resets = own
        .slice(at - most, at + 1)
        .map(resetOf)
        .filter(Number.isFinite)
      return Math.max(...resets) - Math.min(...resets) <= mostAhead || resets.length === 0
    })
    return over ? fail(`at most ${most} turns of a key within a minute`, 'more were accepted', over) : pass
  })
}

type Several = [first: Exchange, ...later: Exchange[]]

/** Attempts of each delivery, at the address that it had. */
const attempts = (all: All): readonly Several[] =>
  [
    ...Map.groupBy(
      attemptsIn(all.filter(({ inbound }) => inbound)),
      (one) => `${one.inbound?.place} ${deliveryId(one)}`,
    ),
  ]
    .filter(([name]) => !name.endsWith(' null'))
    .map(([, own]) => [...own] as Several)

const repeated = (all: All): readonly Several[] => attempts(all).filter(({ length }) => length > 1)

const withoutTime = (one: Exchange): string => {
  const { timestamp: _, ...rest } = envelope(one) ?? {}
  return canonical(rest)
}

const mistakeIn = ({ signatures = [] }: Exchange): string | undefined =>
  signatures.find(({ is }) => is !== 'right' && is !== 'unexplained')?.is

/** A delivery is of one event, however often it comes: at least once, and again after a pause. */
const sender = ruleOver('every attempt of a delivery carries the same event', {
  'ATT-SAME-ID': (all) =>
    eachList(repeated(all), 'deliveries with several attempts', ([first, ...later]) => {
      const other = later.find((one) => withoutTime(one) !== withoutTime(first))
      return check(other === undefined, 'the same body but for its time', 'another body', other ?? first)
    }),
  /**
   * With a secret that is known: others may be of another webhook, but not once it was right at this place, nor where
   * it explains the digest.
   */
  'SIGN-VALUE': (all) => {
    const signed = attemptsIn(all).filter(({ signatures }) => signatures !== undefined)
    const isRight = ({ signatures = [] }: Exchange): boolean => signatures.some(({ is }) => is === 'right')
    const places = new Set(signed.filter(isRight).map(({ inbound }) => inbound?.place))
    // Secrets of webhooks that the recording creates are known, too; other deliveries may have others.
    const isGiven = ({ signatures = [] }: Exchange): boolean =>
      signatures.some(({ secret }) => secret.startsWith(givenSecret))
    if (signed.some(isGiven) && signed.every((one) => mistakeIn(one) === undefined && !isRight(one)))
      throw stopped(
        `${signed.length} signed deliveries, none verifies with a given secret: wrong secret, or forged`,
      )
    const isJudged = (one: Exchange): boolean =>
      places.has(one.inbound?.place) || mistakeIn(one) !== undefined
    return eachOf(those(signed, isJudged), 'signed deliveries', (one) =>
      check(isRight(one), 'a signature with the secret', mistakeIn(one) ?? 'another digest', one),
    )
  },
})

const receiver = ruleOver('every delivery is answered in time, with a status that says what became of it', {
  'RECV-QUICK': (all) =>
    eachOf(
      those(attempts(all).flat(), () => true),
      'deliveries',
      quick,
    ),
  'RECV-DUPLICATE-2XX': (all) =>
    eachList(
      repeated(all).filter(([first]) => took2xx(first)),
      'repeated deliveries',
      ([first, ...later]) => {
        const after = later.filter((one) => arrivedAt(one) > overAt(first))
        const refused = after.find((one) => one.response && !took2xx(one))
        return after.length === 0
          ? inconclusive('they overlapped')
          : check(
              refused === undefined,
              'a 2xx to the repeat',
              `status ${refused && statusOf(refused)}`,
              refused ?? after[0],
            )
      },
    ),
})

/** A stream by its lines, which readers of streams do not find under another type. */
const isFramed = (one: Exchange): boolean =>
  isTurn(one) &&
  statusOf(one) === 200 &&
  asked(one)?.['stream'] === true &&
  /^(?::|data: ?\{)/.test(text(one).text)

export const trafficScenarios = byId({
  traffic: {
    streams: ofTraffic(streams),
    // A browser may ask for a compressed reply, and has it decompressed.
    replies: ofTraffic(replies, ['SSE-ENCODING']),
    refusals: ofTraffic(chatRefusals, [], ofServiceIn),
    // The first request of a key may have come before the recording.
    keys: ofTraffic(keys, ['IDEM-FRESH-UNMARKED'], wholeIn, notCompared),
    conversations: ofTraffic(conversations, [], wholeIn, notCompared),
    turns: ofTraffic(turns),
    framed: ofTraffic(
      ruleOver('what has the lines of a stream says that it is one', {
        'SSE-CONTENT-TYPE': (all) => eachOf(those(all, isFramed), 'streams', (one) => inForm(one, 'stream')),
      }),
    ),
    turnRefusals: ofTraffic(turnRefusals),
    repeats: ofTraffic(repeats, [], wholeIn, notCompared),
    rate: ofTraffic(
      ruleOver('no key has more turns accepted than the limit allows', { 'RATE-UPPER': accepted }),
    ),
    charges: ofTraffic(charges, [], wholeIn, notCompared),
    receipts: ofTraffic(receipts),
    tasks: ofTraffic(tasks),
    schemas: ofTraffic(schemas),
    billing: ofTraffic(billingReads),
    // Others may have updated or removed a webhook meanwhile.
    webhooks: ofTraffic(webhooks, ['HOOK-LIST-AS-SENT', 'HOOK-UPDATE-REST']),
    deliveries: ofTraffic(deliveries, [
      'SIGN-VALUE',
      'EVT-SELECTED-ONLY',
      'DLV-CUSTOM-HEADERS',
      'DLV-CHATBOT',
    ]),
    sender: ofTraffic(sender),
    receiver: ofTraffic(receiver),
    clientTurns: ofTraffic(turnsOfClient),
    clientWork: ofTraffic(workOfClient),
  },
})
