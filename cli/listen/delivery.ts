/** What a request to the receiver is, as far as it shows. */
import {
  deliveryId,
  eventNameOf,
  isTestDelivery,
  deliveredHeaderValues,
} from '../../suites/webhooks/assertions/deliveries.ts'
import { type Exchange, identifiersIn } from '../../suites/wire/exchange.ts'
import { signedWith } from '../../suites/webhooks/assertions/signature.ts'
import type { Judgement } from '../../suites/scenario/scenario.ts'
import {
  hasKnownEvent,
  hasNoFlagBeside,
  hasPayload,
  hasTimestamp,
  hasUserAgent,
  idBegins,
  isJsonTyped,
  isObjectBody,
  isPost,
  namesItsEvent,
} from '../../suites/webhooks/assertions/delivery.ts'
import { styleText } from 'node:util'
import type { Answered } from '../../suites/inbound/inbox.ts'

export interface ListenedDelivery extends SignatureReading {
  /** Counts all requests, from 1. */
  number: number
  /** When it came: ISO 8601, UTC. */
  at: string
  /** From the body, else from the header; null where neither has one. */
  event: string | null
  id: string | null
  /** How often its id was seen, this time included. */
  attempt: number
  /** By its id. */
  test: boolean
  /** Its id was answered 2xx before. */
  duplicate: boolean
  bytes: number
  /** What is malformed, in words. */
  problems: readonly string[]
}

export function listenedDelivery(
  exchange: Exchange,
  { at, secret, known }: { at: string; secret: string | null; known: KnownIds },
): ListenedDelivery {
  const id = deliveryId(exchange)
  return {
    number: exchange.id,
    at,
    event: eventNameOf(exchange),
    id,
    ...(id === null ? { attempt: 1, duplicate: false } : known.seen(id)),
    test: isTestDelivery(exchange),
    bytes: exchange.request.body.length,
    ...readSignature(exchange, secret),
    problems: problemsOf(exchange),
  }
}

interface SignatureReading {
  signature: 'ok' | 'wrong' | 'missing' | 'not checked'
  /** Of a wrong one: which mistake explains it, where one is known. */
  signatureProblem: string | null
}

function readSignature(exchange: Exchange, secret: string | null): SignatureReading {
  if (deliveredHeaderValues(exchange, identifiersIn(exchange).signatureHeader).length === 0)
    return { signature: 'missing', signatureProblem: null }
  const judgement = secret === null ? null : signedWith(exchange, secret)
  if (judgement?.is === 'pass') return { signature: 'ok', signatureProblem: null }
  const problem = judgement && complaint(judgement)
  return { signature: problem === null ? 'not checked' : 'wrong', signatureProblem: problem }
}

type Judge = (exchange: Exchange) => Judgement

const judges: readonly Judge[] = [
  isJsonTyped,
  hasUserAgent,
  (exchange) => idBegins(exchange, deliveryId(exchange)?.startsWith('test_') ? 'test_' : 'whd_'),
  isObjectBody,
  hasKnownEvent,
  namesItsEvent,
  hasTimestamp,
  hasPayload,
  hasNoFlagBeside,
]

function problemsOf(exchange: Exchange): readonly string[] {
  const posted = complaint(isPost(exchange))
  // Somebody looked with a browser: the rest would only repeat it.
  return posted === null ? judges.flatMap((judge) => complaint(judge(exchange)) ?? []) : [posted]
}

/** What was expected and what came instead, or null. */
const complaint = (judgement: Judgement): string | null =>
  judgement.is === 'fail' ? `expected ${judgement.expected}, got ${judgement.got}` : null

/** Remembers the ids of deliveries, so that attempts can be counted and duplicates reported; the oldest are forgotten. */
export interface KnownIds {
  seen(id: string): { attempt: number; duplicate: boolean }
  /** It was answered 2xx: what comes from now on is a duplicate. */
  delivered(id: string): void
}

export function knownIds(capacity: number): KnownIds {
  const known = new Map<string, { attempts: number; delivered: boolean }>()
  return {
    seen(id) {
      const { attempts, delivered } = known.get(id) ?? { attempts: 0, delivered: false }
      // Anew, so that the one that was not seen for longest stands first.
      known.delete(id)
      known.set(id, { attempts: attempts + 1, delivered })
      const [oldest] = known.keys()
      if (known.size > capacity && oldest !== undefined) known.delete(oldest)
      return { attempt: attempts + 1, duplicate: delivered }
    },
    delivered(id) {
      const entry = known.get(id)
      if (entry) entry.delivered = true
    },
  }
}

export interface DeliveryOutcome {
  answered: Answered
  /** From its headers to its end, in milliseconds. */
  tookMs: number
  /** Why it could not be forwarded. */
  notForwarded: string | null
}

const idLength = 12
const eventWidth = 22

/** `12:00:00.000  order.confirmed  whd_8f3a1c2b  attempt 2  312 B  signature ok  500 after 2 ms  duplicate`. */
export function personLine(delivery: ListenedDelivery, outcome: DeliveryOutcome, colour: boolean): string {
  const { at, event, id, attempt, bytes, signature } = delivery
  const paint = (text: string, bad: boolean): string =>
    colour && bad ? styleText('red', text, { validateStream: false }) : text
  const columns = [
    at.slice(11, 23),
    printable(event ?? '(no event)', 60).padEnd(eventWidth),
    printable(id ?? '(no id)', idLength).padEnd(idLength),
    attempt > 1 ? `attempt ${attempt}` : '         ',
    `${bytes} B`.padStart(7),
    paint(`signature ${signature}`, signature === 'wrong' || signature === 'missing'),
    ending(outcome),
  ]
  const { test, duplicate, problems, signatureProblem } = delivery
  const remarks = [
    ...(test ? ['a test'] : []),
    ...(duplicate ? ['a duplicate: its id was answered 2xx before'] : []),
    ...(signatureProblem === null ? [] : [signatureProblem]),
    ...problems,
    ...(outcome.notForwarded === null ? [] : [`not forwarded: ${outcome.notForwarded}`]),
  ].map((remark) => printable(remark, 200))
  const said = remarks.length > 0 ? `  ${paint(remarks.join('; '), problems.length > 0)}` : ''
  return `${columns.join('  ')}${said}\n`
}

/** For those whose answer takes its time. */
export function arrivalLine({ at, event, id }: ListenedDelivery): string {
  return `${at.slice(11, 23)}  ${printable(event ?? '(no event)', 60)}  ${printable(id ?? '(no id)', idLength)}  came, and waits\n`
}

export function programLine(delivery: ListenedDelivery, outcome: DeliveryOutcome): string {
  const { answered, tookMs, notForwarded } = outcome
  const { status, end } = answered
  const took = Math.round(tookMs * 1_000) / 1_000
  return `${JSON.stringify({ is: 'delivery', ...delivery, status, end, tookMs: took, notForwarded })}\n`
}

const endings: Readonly<Record<Answered['end'], string>> = {
  answered: 'answered',
  gone: 'the sender left',
  closed: 'closed by us',
}

function ending({ answered: { status, end }, tookMs }: DeliveryOutcome): string {
  const after = `after ${Math.round(tookMs)} ms`
  if (end === 'answered') return `${status} ${after}`
  return status === null ? `no answer, ${endings[end]} ${after}` : `${status}, ${endings[end]} ${after}`
}

/** What a stranger sent must not steer the terminal. */
const printable = (text: string, most: number): string => text.slice(0, most).replaceAll(/[^\x20-\x7e]/g, '?')
