/** Judgements on what an execution is answered with: a receipt, or a refusal in either form. */
import type { Judgement } from '../../scenario/judgement.ts'
import { json } from '../../wire/body.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { answered, object, shown, statusOf } from '../../assertions/answer.ts'
import {
  all,
  broken,
  check,
  every,
  given,
  inconclusive,
  notApplicable,
  pass,
  weak,
} from '../../scenario/expect.ts'
import { at } from '../../wire/json.ts'
import { taskIdOf } from './pointers/pointer-receipt.ts'

export const receiptStatuses = ['completed', 'accepted', 'pending_approval', 'failed'] as const
export type ReceiptStatus = (typeof receiptStatuses)[number]

/** What is begun or done, or waits to be. */
const going: readonly ReceiptStatus[] = ['completed', 'accepted', 'pending_approval']

/** A receipt comes with any status but these, which refuse the caller. */
const closed: readonly number[] = [401, 403]

/** What a receipt says of itself; null where the answer is none. */
export function receiptStatus(exchange: Exchange): ReceiptStatus | null {
  if (closed.includes(statusOf(exchange))) return null
  const status = object(exchange)?.['status']
  return receiptStatuses.find((one) => one === status) ?? null
}

/** The call was let in: there is a receipt, and it did not fail. */
export function isGoing(exchange: Exchange): boolean {
  return going.some((status) => status === receiptStatus(exchange))
}

/** The answer is a receipt of this kind, for a scenario that goes on from there. */
export function reaches(exchange: Exchange, expected: ReceiptStatus): Judgement {
  return given(answered(exchange), () =>
    check(receiptStatus(exchange) === expected, `a receipt \`${expected}\``, told(exchange), exchange),
  )
}

/** The answer came, and in words: its status, and what its receipt says. */
export function told(exchange: Exchange): string {
  const status = receiptStatus(exchange)
  return status === null
    ? `status ${statusOf(exchange)}: ${shown(exchange, 120)}`
    : `a receipt \`${status}\` with status ${statusOf(exchange)}`
}

/** Refused: no receipt that goes on, whatever form the refusal has. A server that broke down refused nothing. */
export function turnedDown(exchange: Exchange, what: string): Judgement {
  return given(answered(exchange, 402), () => {
    const status = statusOf(exchange)
    if (receiptStatus(exchange) === 'failed' || (status >= 400 && status < 500 && !isGoing(exchange)))
      return pass
    if (status >= 500) return inconclusive(`\`${exchange.name}\` was answered ${status}, which is no refusal`)
    const expected = `${what} to be refused`
    return status >= 300 && !isGoing(exchange)
      ? weak(expected, told(exchange), exchange)
      : broken(expected, told(exchange), exchange)
  })
}

/**
 * Not refused to who asks, beside a twin that was taken. The complete list of scopes is not shown: one of them may be
 * asked for, too. A receipt may have failed for what the twin set going.
 */
export function openToo(exchange: Exchange, what: string): Judgement {
  return given(answered(exchange), () => {
    if (closed.includes(statusOf(exchange))) return weak(what, told(exchange), exchange)
    return statusOf(exchange) < 300 && receiptStatus(exchange) !== 'failed'
      ? pass
      : inconclusive(`\`${exchange.name}\` was answered ${told(exchange)}`)
  })
}

/** Whatever it is answered with, it is no completed receipt. */
export function neverCompleted(exchange: Exchange, what: string): Judgement {
  return given(answered(exchange, 402), () => {
    const expected = `no completed receipt for ${what}`
    const status = statusOf(exchange)
    if (receiptStatus(exchange) === 'completed') return broken(expected, told(exchange), exchange)
    if (isGoing(exchange))
      return inconclusive(`${what} led to ${told(exchange)}; it may still be refused where that leads to`)
    return status >= 500 ? weak(`${what} to be refused`, `a server error: ${told(exchange)}`, exchange) : pass
  })
}

/** Whether the target file says how a write carries its key: else it may not have been seen. */
export function isKeyDeclared({ execution }: Dialect): boolean {
  return (execution?.key ?? execution?.keyHeader) !== undefined
}

/**
 * A JSON object that speaks of a status, and is no refusal of the caller. A write that is refused may lack its key
 * where the target file does not say how it is carried.
 */
export function isReceiptLike(exchange: Exchange, dialect: Dialect): Judgement {
  return given(answered(exchange), () => {
    const holds = speaksOfStatus(exchange) && !closed.includes(statusOf(exchange))
    if (!holds && !isKeyDeclared(dialect) && keyless.includes(statusOf(exchange)))
      return inconclusive(
        `\`${exchange.name}\` was answered ${statusOf(exchange)}; where a write carries its key elsewhere than in Idempotency-Key, declare \`dialect.execution.key\` or \`keyHeader\``,
      )
    return check(holds, 'a receipt: a JSON object with a `status`', told(exchange), exchange)
  })
}

/** How a request may be refused for want of something. */
const keyless: readonly number[] = [400, 422, 428]

function speaksOfStatus(exchange: Exchange): boolean {
  return object(exchange)?.['status'] !== undefined
}

/** `status` is a text. A refusal without one is no receipt, so that nothing is known of receipts. */
export function hasStatusText(exchange: Exchange): Judgement {
  return given(answered(exchange), () => {
    const status = object(exchange)?.['status']
    if (statusOf(exchange) >= 400 && status === undefined)
      return inconclusive(`\`${exchange.name}\` was refused with ${statusOf(exchange)}, without a receipt`)
    const got = JSON.stringify(status) ?? 'none'
    return check(typeof status === 'string', 'a text `status`', got, exchange, {
      field: 'status',
      type: 'filled string',
    })
  })
}

/** Of a receipt with a text for its status, the text is one of the four. */
export function hasKnownStatus(exchange: Exchange): Judgement {
  return given(hasStatusText(exchange), () => {
    const status = JSON.stringify(object(exchange)?.['status'])
    return check(receiptStatus(exchange) !== null, `one of ${receiptStatuses.join(', ')}`, status, exchange)
  })
}

/** A completed receipt carries its result; one that carries null says at least where it would be. */
export function hasData(exchange: Exchange): Judgement {
  return given(reaches(exchange, 'completed'), () => {
    const data = memberOf(exchange, '/data')
    if (data === null) return weak('a result in `data`', '`data`: null', exchange)
    return check(data !== undefined, 'a result in `data`', shown(exchange, 120), exchange)
  })
}

/** What comes again as completed carries a result, as the first receipt did: null is none where there was one. */
export function keepsData(first: Exchange, again: readonly Exchange[]): Judgement {
  return given(hasData(first), () =>
    every(again, (one) =>
      given(reaches(one, 'completed'), () => {
        const got = JSON.stringify(memberOf(one, '/data'))
        return check(got !== undefined && got !== 'null', 'the result in `data`', got ?? 'none', one)
      }),
    ),
  )
}

/** An accepted receipt carries the id of its task; without a declared place for it a search may have missed it. */
export function leadsToTask(receipt: Exchange, dialect: Dialect): Judgement {
  return given(reaches(receipt, 'accepted'), () =>
    taskIdOf(receipt, dialect) === null ? idless(receipt, 'taskId', dialect) : pass,
  )
}

export function idless(receipt: Exchange, name: 'taskId' | 'approvalId', dialect: Dialect): Judgement {
  const declared = dialect.receipt?.[name]
  return declared === undefined
    ? inconclusive(`no id was found in the receipt; declare \`dialect.receipt.${name}\``)
    : broken(`an id at ${declared}`, told(receipt), receipt)
}

/** A failed receipt has a filled text there. */
export function hasErrorText(exchange: Exchange, name: 'code' | 'resolution'): Judgement {
  return given(reaches(exchange, 'failed'), () => {
    const value = memberOf(exchange, `/error/${name}`)
    if (name === 'resolution' && typeof value === 'object' && value !== null)
      return weak(`a text \`error.${name}\``, 'instructions in a form of their own', exchange)
    const holds = typeof value === 'string' && value !== ''
    return check(holds, `a text \`error.${name}\``, JSON.stringify(value) ?? 'none', exchange)
  })
}

/** Of several receipts, of which some went on, those that failed have such a text. */
export function failedHave(receipts: readonly Exchange[], name: 'code' | 'resolution'): Judgement {
  const failed = receipts.filter((one) => receiptStatus(one) === 'failed')
  if (!receipts.some(isGoing)) return inconclusive('none of the receipts went on')
  return failed.length === 0
    ? notApplicable('none of the receipts failed')
    : all(...failed.map((one) => hasErrorText(one, name)))
}

/** The code of a failed receipt; null where there is none. */
export function failureCode(exchange: Exchange): string | null {
  const code = memberOf(exchange, '/error/code')
  return receiptStatus(exchange) === 'failed' && typeof code === 'string' ? code : null
}

function memberOf(exchange: Exchange, pointer: string) {
  const body = json(exchange)
  return body.ok ? at(body.value, pointer) : undefined
}

/** What a call came to, in words that are the same from run to run. */
export function fateOf(exchange: Exchange): string {
  const { failure, response } = exchange
  if (failure || !response) return 'no whole answer'
  const code = failureCode(exchange)
  const status = receiptStatus(exchange)
  if (status === null) return `${response.status} without a receipt`
  return `${response.status} ${status}${code === null ? '' : ` ${code}`}`
}
