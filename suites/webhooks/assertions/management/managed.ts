/** Judgements on the response of a management route: accepted, refused, or inconclusive. */
import type { Judgement } from '../../../scenario/scenario.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { answered, statusOf } from '../../../assertions/answer.ts'
import { fail, check, expects, given, inconclusive, pass } from '../../../scenario/expect.ts'

const isTaken = (exchange: Exchange): boolean => statusOf(exchange) >= 200 && statusOf(exchange) < 300

/**
 * The request was accepted with 2xx, whatever the body. A session without permission, by its plan or because it
 * expired, is no defect of the target.
 */
export function requestAccepted(exchange: Exchange): Judgement {
  return given(answered(exchange), () => {
    const got = statusOf(exchange)
    if (got === 401 || got === 403)
      return inconclusive(`\`${exchange.name}\` was answered ${got}: the session may not do this`)
    return expects(isTaken(exchange), { status: [200, 299] }, `status ${got}`, exchange)
  })
}

/** Whether a response is a complete 2xx, used by scenarios to continue. */
export function wasAccepted(exchange: Exchange): boolean {
  return requestAccepted(exchange).is === 'pass'
}

/** The request was refused for its content with 4xx. A server error is no refusal. */
export function refusedContent(exchange: Exchange, what: string): Judgement {
  return given(answered(exchange), () => {
    const got = statusOf(exchange)
    if (got >= 500) return inconclusive(`\`${exchange.name}\` was answered ${got}, which is no refusal`)
    if (got >= 400) return pass
    return fail(`${what} to be refused with a 4xx`, `status ${got}`, exchange)
  })
}

/**
 * The request was refused for its credentials: the status is not shown, and a redirect leads a browser to the sign-
 * in.
 */
export function refusedCredentials(exchange: Exchange, what: string): Judgement {
  return given(answered(exchange, 402), () => {
    const got = statusOf(exchange)
    if (got >= 500) return inconclusive(`\`${exchange.name}\` was answered ${got}, which is no refusal`)
    return check(got >= 300, `${what} to be refused`, `status ${got}`, exchange)
  })
}

/** A description of a response that does not differ from run to run. */
export function resultOf(exchange: Exchange): string {
  const { response, failure } = exchange
  if (failure || !response) return 'no whole answer'
  return `${isTaken(exchange) ? 'taken' : 'refused'} with ${response.status}`
}
