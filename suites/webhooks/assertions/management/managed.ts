/** Judgements on the answer of a management route: taken, refused, or saying nothing. */
import type { Judgement } from '../../../scenario/judgement.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { answered, statusOf } from '../../../assertions/answer.ts'
import { broken, check, given, inconclusive, pass } from '../../../scenario/expect.ts'

const isTaken = (exchange: Exchange): boolean => statusOf(exchange) >= 200 && statusOf(exchange) < 300

/**
 * The request was taken, whatever the body says: 2xx. That the session may not do it, because of its plan or because
 * it ran out, is no defect of the target.
 */
export function taken(exchange: Exchange): Judgement {
  return given(answered(exchange), () => {
    const got = statusOf(exchange)
    if (got === 401 || got === 403)
      return inconclusive(`\`${exchange.name}\` was answered ${got}: the session may not do this`)
    return check(isTaken(exchange), 'a status from 200 to 299', `status ${got}`, exchange)
  })
}

/** Whether a recorded answer is 2xx and whole; for what a scenario does next. */
export function wasTaken(exchange: Exchange): boolean {
  return taken(exchange).is === 'pass'
}

/** The request was refused for what it asks: 4xx. A server that broke down on it refused nothing. */
export function turnedAway(exchange: Exchange, what: string): Judgement {
  return given(answered(exchange), () => {
    const got = statusOf(exchange)
    if (got >= 500) return inconclusive(`\`${exchange.name}\` was answered ${got}, which is no refusal`)
    if (got >= 400) return pass
    return broken(`${what} to be refused with a 4xx`, `status ${got}`, exchange)
  })
}

/** The request was refused for who asks: with which status is not said, and a redirect leads a browser to the sign-in. */
export function keptOut(exchange: Exchange, what: string): Judgement {
  return given(answered(exchange, 402), () => {
    const got = statusOf(exchange)
    if (got >= 500) return inconclusive(`\`${exchange.name}\` was answered ${got}, which is no refusal`)
    return check(got >= 300, `${what} to be refused`, `status ${got}`, exchange)
  })
}

/** What an answer was, in words that are the same from run to run. */
export function fate(exchange: Exchange): string {
  const { response, failure } = exchange
  if (failure || !response) return 'no whole answer'
  return `${isTaken(exchange) ? 'taken' : 'refused'} with ${response.status}`
}
