/** Acts made by hand, for tests of judges of clients. */
import type { Context } from '../../scenario/scenario.ts'
import { answer, jsonAnswer, reply, streamAnswer } from '../../assertions/exchange.testkit.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { stepNote } from './step-result.ts'
import type { StepResult, ClientReport } from '../../../reports/bundle/client-report.ts'

/** What judges know of steps that went like this. */
export function acted(steps: Readonly<Record<string, Partial<StepResult>>>): Context {
  const whole = { ended: 'done', exitCode: null, reported: [], stdout: '', stderr: '' }
  const notes = Object.entries(steps).map(([step, some]) => [
    stepNote(step),
    JSON.stringify({ ...whole, ...some }),
  ])
  return { dialect: {}, notes: Object.fromEntries(notes) as Context['notes'] }
}

export const reporting = (step: string, ...lines: readonly ClientReport[]): Context =>
  acted({ [step]: { reported: lines } })

export interface Sent {
  at?: number
  endedAt?: number
  key?: string
  body?: Readonly<Record<string, unknown>>
  status?: number
}

/** One turn as it came in, answered at once. */
export function sentTurn({
  at = 0,
  endedAt = at,
  key = 'k-1',
  body = {},
  status = 200,
}: Sent = {}): Exchange {
  const made = jsonAnswer(status === 200 ? reply : { error: 'no' }, {
    status,
    request: { message: 'Hello', ...body },
    requestHeaders: [['Idempotency-Key', key]],
  })
  return { ...made, sentAt: at, endedAt }
}

export const streamOf = (...events: readonly unknown[]): Exchange =>
  streamAnswer(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))

export const lost = (): Exchange => ({
  ...answer(''),
  response: null,
  failure: { kind: 'reset', message: 'gone' },
})
