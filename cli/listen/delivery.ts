/** What a request to the receiver is, as far as it shows. */
import {
  deliveryId,
  eventNameOf,
  isTestDelivery,
  deliveredHeaderValues,
} from '../../suites/webhooks/assertions/deliveries.ts'
import { type Exchange, identifiersIn } from '../../suites/wire/exchange.ts'
import type { KnownIds } from './known-ids.ts'
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

interface Circumstances {
  at: string
  secret: string | null
  known: KnownIds
}

export function listenedDelivery(exchange: Exchange, { at, secret, known }: Circumstances): ListenedDelivery {
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
  if (posted !== null) return [posted]
  return judges.map((judge) => complaint(judge(exchange))).filter((words) => words !== null)
}

/** What was expected and what came instead, or null. */
function complaint(judgement: Judgement): string | null {
  return judgement.is === 'fail' ? `expected ${judgement.expected}, got ${judgement.got}` : null
}
