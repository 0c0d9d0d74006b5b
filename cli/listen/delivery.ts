/** What a request to the receiver is, as far as it shows, and its line for a person or a program. */
import { styleText } from 'node:util'
import type { Answered } from '../../suites/inbound/place.ts'
import type { Judgement } from '../../suites/scenario/scenario.ts'
import * as deliveries from '../../suites/webhooks/assertions/deliveries.ts'
import * as assertions from '../../suites/webhooks/assertions/delivery.ts'
import { signedWith } from '../../suites/webhooks/assertions/signature.ts'
import { identifiersIn, type Exchange } from '../../suites/wire/exchange.ts'
import { compared } from '../../suites/wire/signature-facts.ts'

export type ListenedDelivery = ReturnType<typeof listenedDelivery>

export function listenedDelivery(
  exchange: Exchange,
  { at, secret, known }: { at: string; secret: string | null; known: KnownIds },
) {
  const id = deliveries.deliveryId(exchange)
  return {
    /** Counts all requests, from 1. */
    number: exchange.id,
    /** When it came: ISO 8601, UTC. */
    at,
    /** From the body, else from the header; null where neither has one. */
    event: deliveries.eventNameOf(exchange),
    id,
    /** How often its id was seen, this time included, and whether it was answered 2xx before. */
    ...(id === null ? { attempt: 1, duplicate: false } : known.seen(id)),
    test: deliveries.isTestDelivery(exchange),
    bytes: exchange.request.body.length,
    ...readSignature(exchange, secret),
    /** What is malformed, in words. */
    problems: problemsOf(exchange),
  }
}

/** `signatureProblem` of a wrong one: which mistake explains it, where one is known. */
function readSignature(
  exchange: Exchange,
  secret: string | null,
): { signature: 'ok' | 'wrong' | 'missing' | 'not checked'; signatureProblem: string | null } {
  const { signatureHeader } = identifiersIn(exchange)
  const [value] = deliveries.deliveredHeaderValues(exchange, signatureHeader)
  if (value === undefined) return { signature: 'missing', signatureProblem: null }
  const judgement = secret === null ? null : signedWith(compared(exchange, value, secret), secret)
  if (judgement?.is === 'pass') return { signature: 'ok', signatureProblem: null }
  const problem = judgement && complaint(judgement)
  return { signature: problem === null ? 'not checked' : 'wrong', signatureProblem: problem }
}

const judges: readonly ((exchange: Exchange, id: string | null) => Judgement)[] = [
  assertions.isJsonTyped,
  assertions.hasUserAgent,
  (exchange, id) => assertions.idBegins(exchange, id?.startsWith('test_') ? 'test_' : 'whd_'),
  assertions.isObjectBody,
  assertions.hasKnownEvent,
  assertions.namesItsEvent,
  assertions.hasTimestamp,
  assertions.hasPayload,
  assertions.hasNoFlagBeside,
]

function problemsOf(exchange: Exchange): readonly string[] {
  const posted = complaint(assertions.isPost(exchange))
  // Somebody looked with a browser: the rest would only repeat it.
  if (posted !== null) return [posted]
  const id = deliveries.deliveryId(exchange)
  return judges.flatMap((judge) => complaint(judge(exchange, id)) ?? [])
}

/** What was expected and what came instead, or null. */
const complaint = (judgement: Judgement): string | null =>
  judgement.is === 'fail' ? `expected ${judgement.expected}, got ${judgement.got}` : null

export type KnownIds = ReturnType<typeof knownIds>

/** Remembers the ids of deliveries, so that attempts can be counted and duplicates reported; the oldest are forgotten. */
export function knownIds(capacity: number) {
  const known = new Map<string, { attempts: number; delivered: boolean }>()
  return {
    seen(id: string): { attempt: number; duplicate: boolean } {
      const { attempts, delivered } = known.get(id) ?? { attempts: 0, delivered: false }
      // Anew, so that the one that was not seen for longest stands first.
      known.delete(id)
      known.set(id, { attempts: attempts + 1, delivered })
      const [oldest] = known.keys()
      if (known.size > capacity && oldest !== undefined) known.delete(oldest)
      return { attempt: attempts + 1, duplicate: delivered }
    },
    /** It was answered 2xx: what comes from now on is a duplicate. */
    delivered(id: string): void {
      const entry = known.get(id)
      if (entry) entry.delivered = true
    },
  }
}

export interface DeliveryOutcome {
  answered: Answered
  /** From its headers to its end, in milliseconds. */
  tookMs: number
  notForwarded: string | null
}

const idLength = 12
const eventWidth = 22

/** `12:00:00.000  order.confirmed  whd_8f3a1c2b  attempt 2  312 B  signature ok  500 after 2 ms  duplicate`. */
export function personLine(delivery: ListenedDelivery, outcome: DeliveryOutcome, colour: boolean): string {
  const { at, event, id, attempt, bytes, signature, test, duplicate, problems, signatureProblem } = delivery
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
  const remarks = [
    ...(test ? ['a test'] : []),
    ...(duplicate ? ['duplicate of an accepted delivery'] : []),
    ...(signatureProblem === null ? [] : [signatureProblem]),
    ...problems,
    ...(outcome.notForwarded === null ? [] : [`not forwarded: ${outcome.notForwarded}`]),
  ].map((remark) => printable(remark, 200))
  const said = remarks.length > 0 ? `  ${paint(remarks.join('; '), problems.length > 0)}` : ''
  return `${columns.join('  ')}${said}\n`
}

/** For those whose answer takes its time. */
export const arrivalLine = ({ at, event, id }: ListenedDelivery): string =>
  `${at.slice(11, 23)}  ${printable(event ?? '(no event)', 60)}  ${printable(id ?? '(no id)', idLength)}  came, and waits\n`

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
