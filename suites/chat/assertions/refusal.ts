/** Judgements on the form of a refusal, whatever its reason. */
import { receiptStatuses } from '../../../spec/index.ts'
import type { Judgement } from '../../scenario/scenario.ts'
import { type Exchange, text } from '../../wire/exchange.ts'
import { object, refused, shown, statusOf } from '../../assertions/answer.ts'
import { isObject } from '../../../spec/json.ts'
import { fail, check, inconclusive, pass, warn } from '../../scenario/expect.ts'
import { isStream } from '../../assertions/reply.ts'
import { refusedBeside, replied } from '../../assertions/turn.ts'

/** A receipt has an object `error` and a `status`; a receipt status beside a string `error` warns. */
export function notReceipt(exchange: Exchange): Judgement {
  const body = object(exchange)
  if (!body) return inconclusive(`\`${exchange.name}\` is no JSON object`)
  if (isObject(body['error'])) return fail('no object `error`', shown(exchange), exchange)
  const names: readonly unknown[] = receiptStatuses
  return names.includes(body['status']) ? warn('no receipt `status`', shown(exchange), exchange) : pass
}

/** A 4xx with a JSON object; inconclusive if the request was not refused. */
export function refusedAsJson(bad: Exchange): Judgement {
  if (replied(bad).is === 'pass') return inconclusive(`\`${bad.name}\` was not refused`)
  const refusal = refused(bad)
  if (refusal.is !== 'pass') return refusal
  return check(!isStream(bad) && object(bad) !== null, 'a JSON object', shown(bad), bad)
}

/** Skips a refusal that was streamed, which other checks judge. */
export function unlessStreamed(bad: Exchange, judge: () => Judgement): Judgement {
  return statusOf(bad) === 200 && isStream(bad) && replied(bad).is !== 'pass'
    ? inconclusive(`\`${bad.name}\` was answered by a stream without a reply`)
    : judge()
}

/** Like `refusedBeside`, for a request for a stream. */
export function refusedInStream(accepted: Exchange, bad: Exchange, expected: number): Judgement {
  return unlessStreamed(bad, () => refusedBeside(accepted, bad, expected))
}

export function apiKeyIn({ request }: Exchange): string {
  const value = request.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? ''
  return value.slice(value.indexOf(' ') + 1)
}

/** The response repeats the credentials of the request neither in a header nor in the body. */
export function noEcho(exchange: Exchange): Judgement {
  const [key, { response }] = [apiKeyIn(exchange), exchange]
  if (key === '' || !response) return inconclusive('no credentials were sent, or no answer came')
  const parts = [text(exchange).text, ...response.headers.map(([, value]) => value)]
  const repeated = parts.some((part) => part.includes(key))
  return check(!repeated, 'an answer without the credentials', 'the credentials that were sent', exchange)
}
