/** Judgements on the response to an execution: a receipt, or a refusal in either form. */
import { receiptStatuses } from '../../../spec/index.ts'
import type { Judgement } from '../../scenario/scenario.ts'
import type { Dialect } from '../../config/dialect.ts'
import { type Exchange, at, json } from '../../wire/exchange.ts'
import { answered, object, shown, statusOf } from '../../assertions/answer.ts'
import {
  all,
  check,
  every,
  fail,
  given,
  inconclusive,
  notApplicable,
  observed,
  pass,
  warn,
} from '../../scenario/expect.ts'
import { taskIdOf } from './pointers/pointer-receipt.ts'

export type ReceiptStatus = (typeof receiptStatuses)[number]

/** Started, done, or waiting. */
const going: readonly ReceiptStatus[] = ['completed', 'accepted', 'pending_approval']

/** A receipt has any status but these, which refuse the caller. */
const closed: readonly number[] = [401, 403]

export function receiptStatus(exchange: Exchange): ReceiptStatus | null {
  if (closed.includes(statusOf(exchange))) return null
  const status = object(exchange)?.['status']
  return receiptStatuses.find((one) => one === status) ?? null
}

export function isGoing(exchange: Exchange): boolean {
  return going.some((status) => status === receiptStatus(exchange))
}

export function reaches(exchange: Exchange, expected: ReceiptStatus): Judgement {
  return given(answered(exchange), () =>
    check(
      receiptStatus(exchange) === expected,
      `a receipt \`${expected}\``,
      describeReceipt(exchange),
      exchange,
    ),
  )
}

export function describeReceipt(exchange: Exchange): string {
  const status = receiptStatus(exchange)
  return status === null
    ? `status ${statusOf(exchange)}: ${shown(exchange, 120)}`
    : `a receipt \`${status}\` with status ${statusOf(exchange)}`
}

/** Refused: no receipt of work in progress, whatever form the refusal has. A server error is no refusal. */
export function refusedExecution(exchange: Exchange, what: string): Judgement {
  return given(answered(exchange, 402), () => {
    const status = statusOf(exchange)
    if (receiptStatus(exchange) === 'failed' || (status >= 400 && status < 500 && !isGoing(exchange)))
      return pass
    if (status >= 500) return inconclusive(`\`${exchange.name}\` was answered ${status}, which is no refusal`)
    const expected = `${what} to be refused`
    return status >= 300 && !isGoing(exchange)
      ? warn(expected, describeReceipt(exchange), exchange)
      : fail(expected, describeReceipt(exchange), exchange)
  })
}

/**
 * Not refused to the caller, given that the same was accepted with another key. The complete list of scopes is not
 * shown, so another scope may be required. A receipt may have failed because of the first request.
 */
export function openToo(exchange: Exchange, what: string): Judgement {
  return given(answered(exchange), () => {
    if (closed.includes(statusOf(exchange))) return warn(what, describeReceipt(exchange), exchange)
    return statusOf(exchange) < 300 && receiptStatus(exchange) !== 'failed'
      ? pass
      : inconclusive(`\`${exchange.name}\` was answered ${describeReceipt(exchange)}`)
  })
}

export function neverCompleted(exchange: Exchange, what: string): Judgement {
  return given(answered(exchange, 402), () => {
    const expected = `no completed receipt for ${what}`
    const status = statusOf(exchange)
    if (receiptStatus(exchange) === 'completed') return fail(expected, describeReceipt(exchange), exchange)
    if (isGoing(exchange))
      return inconclusive(
        `${what} led to ${describeReceipt(exchange)}; it may still be refused where that leads to`,
      )
    return status >= 500
      ? warn(`${what} to be refused`, `a server error: ${describeReceipt(exchange)}`, exchange)
      : pass
  })
}

/** Whether the target file declares where a write has its key; otherwise the target may not read it. */
export function isKeyDeclared({ execution }: Dialect): boolean {
  return (execution?.key ?? execution?.keyHeader) !== undefined
}

/**
 * A JSON object with a status, and no refusal of the caller. A refused write may lack its key if the target file does
 * not declare its place.
 */
export function isReceiptLike(exchange: Exchange, dialect: Dialect): Judgement {
  return given(answered(exchange), () => {
    const holds = object(exchange)?.['status'] !== undefined && !closed.includes(statusOf(exchange))
    if (!holds && !isKeyDeclared(dialect) && keyless.includes(statusOf(exchange)))
      return inconclusive(
        `\`${exchange.name}\` was answered ${statusOf(exchange)}; where a write carries its key elsewhere than in Idempotency-Key, declare \`dialect.execution.key\` or \`keyHeader\``,
      )
    return check(holds, 'a receipt: a JSON object with a `status`', describeReceipt(exchange), exchange)
  })
}

/** Statuses of a refusal for something missing. */
const keyless: readonly number[] = [400, 422, 428]

/** `status` is a string. A refusal without one is no receipt, so it is inconclusive. */
export function hasStatusText(exchange: Exchange): Judgement {
  return given(answered(exchange), () => {
    const status = object(exchange)?.['status']
    if (statusOf(exchange) >= 400 && status === undefined)
      return inconclusive(`\`${exchange.name}\` was refused with ${statusOf(exchange)}, without a receipt`)
    const got = JSON.stringify(status) ?? 'none'
    return check(typeof status === 'string', 'a text `status`', got, exchange)
  })
}

export function hasKnownStatus(exchange: Exchange): Judgement {
  return given(hasStatusText(exchange), () => {
    const status = JSON.stringify(object(exchange)?.['status'])
    return check(receiptStatus(exchange) !== null, `one of ${receiptStatuses.join(', ')}`, status, exchange)
  })
}

/** A completed receipt has its result; null at least names the member. */
export function hasData(exchange: Exchange): Judgement {
  return given(reaches(exchange, 'completed'), () => {
    const data = memberOf(exchange, '/data')
    if (data === null) return warn('a result in `data`', '`data`: null', exchange)
    return check(data !== undefined, 'a result in `data`', shown(exchange, 120), exchange)
  })
}

/** A repeated completed receipt has a result if the first one had: null is none then. */
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

/** An accepted receipt has the id of its task; without a declared pointer the search may have missed it. */
export function leadsToTask(receipt: Exchange, dialect: Dialect): Judgement {
  return given(reaches(receipt, 'accepted'), () =>
    taskIdOf(receipt, dialect) === null ? idless(receipt, 'taskId', dialect) : pass,
  )
}

export function idless(receipt: Exchange, name: 'taskId' | 'approvalId', dialect: Dialect): Judgement {
  const declared = dialect.receipt?.[name]
  return declared === undefined
    ? inconclusive(`no id was found in the receipt; declare \`dialect.receipt.${name}\``)
    : fail(`an id at ${declared}`, describeReceipt(receipt), receipt)
}

/** A failed receipt has a non-empty string there. */
export function hasErrorText(exchange: Exchange, name: 'code' | 'resolution'): Judgement {
  return given(reaches(exchange, 'failed'), () => {
    const value = memberOf(exchange, `/error/${name}`)
    if (name === 'resolution' && typeof value === 'object' && value !== null)
      return warn(`a text \`error.${name}\``, 'instructions in a form of their own', exchange)
    const holds = typeof value === 'string' && value !== ''
    return check(holds, `a text \`error.${name}\``, JSON.stringify(value) ?? 'none', exchange)
  })
}

/** Of several receipts, some of which did not fail, the failed ones have this string. */
export function failedHave(receipts: readonly Exchange[], name: 'code' | 'resolution'): Judgement {
  const failed = receipts.filter((one) => receiptStatus(one) === 'failed')
  if (!receipts.some(isGoing)) return inconclusive('none of the receipts went on')
  return failed.length === 0
    ? notApplicable('none of the receipts failed')
    : all(...failed.map((one) => hasErrorText(one, name)))
}

export function failureCode(exchange: Exchange): string | null {
  const code = memberOf(exchange, '/error/code')
  return receiptStatus(exchange) === 'failed' && typeof code === 'string' ? code : null
}

function memberOf(exchange: Exchange, pointer: string) {
  const body = json(exchange)
  return body.ok ? at(body.value, pointer) : undefined
}

/** A description of a call that does not differ from run to run. */
export function fateOf(exchange: Exchange): string {
  const { failure, response } = exchange
  if (failure || !response) return 'no whole answer'
  const code = failureCode(exchange)
  const status = receiptStatus(exchange)
  if (status === null) return `${response.status} without a receipt`
  return `${response.status} ${status}${code === null ? '' : ` ${code}`}`
}

/** Recorded: the HTTP status of such a receipt. */
export function comesWith(receipt: Exchange, expected: ReceiptStatus): Judgement {
  return given(reaches(receipt, expected), () =>
    observed(`${expected} with status ${receipt.response?.status}`),
  )
}
