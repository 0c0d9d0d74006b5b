/** What is malformed about a delivery, in words: by the judges of the suite, without their verdicts. */
import type { Judgement } from '../../suites/scenario/judgement.ts'
import { deliveryId } from '../../suites/webhooks/assertions/deliveries.ts'
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
import type { Exchange } from '../../suites/wire/exchange.ts'

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

export function problemsOf(exchange: Exchange): readonly string[] {
  const posted = complaint(isPost(exchange))
  // Somebody looked with a browser: the rest would only repeat it.
  if (posted !== null) return [posted]
  return judges.map((judge) => complaint(judge(exchange))).filter((words) => words !== null)
}

/** What was expected and what came instead, or null. */
export function complaint(judgement: Judgement): string | null {
  return judgement.is === 'fail' ? `expected ${judgement.expected}, got ${judgement.got}` : null
}
