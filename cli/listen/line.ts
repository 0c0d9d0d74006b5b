/** A delivery and what became of it, as a line for a person or for a program. */
import { styleText } from 'node:util'
import type { Answered } from '../../suites/inbound/inbox.ts'
import type { ListenedDelivery } from './delivery.ts'

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
  const remarks = remarksOf(delivery, outcome).map((remark) => printable(remark, 200))
  const said = remarks.length > 0 ? `  ${paint(remarks.join('; '), delivery.problems.length > 0)}` : ''
  return `${columns.join('  ')}${said}\n`
}

/** For those whose answer takes its time. */
export function arrivalLine({ at, event, id }: ListenedDelivery): string {
  return `${at.slice(11, 23)}  ${printable(event ?? '(no event)', 60)}  ${printable(id ?? '(no id)', idLength)}  came, and waits\n`
}

export function programLine(delivery: ListenedDelivery, outcome: DeliveryOutcome): string {
  const { answered, tookMs, notForwarded } = outcome
  const { status, end } = answered
  return `${JSON.stringify({ is: 'delivery', ...delivery, status, end, tookMs: round(tookMs), notForwarded })}\n`
}

function remarksOf(delivery: ListenedDelivery, { notForwarded }: DeliveryOutcome): readonly string[] {
  const { test, duplicate, problems, signatureProblem } = delivery
  return [
    ...(test ? ['a test'] : []),
    ...(duplicate ? ['a duplicate: its id was answered 2xx before'] : []),
    ...(signatureProblem === null ? [] : [signatureProblem]),
    ...problems,
    ...(notForwarded === null ? [] : [`not forwarded: ${notForwarded}`]),
  ]
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
function printable(text: string, most: number): string {
  return text.slice(0, most).replaceAll(/[^\x20-\x7e]/g, '?')
}

function round(ms: number): number {
  return Math.round(ms * 1_000) / 1_000
}
