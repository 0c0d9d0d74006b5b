/** The expectations of a finding that a script can test: those that the recorded responses do not meet. */
import { isObject } from '../../spec/json.ts'
import type { Expectation } from '../../reports/bundle/expectation.ts'
import type { Finding } from '../../reports/bundle/record.ts'
import { codesOf, isReplay, object } from '../assertions/answer.ts'
import { canonical, events, fields } from '../assertions/reply.ts'
import { keyOfRequest, overlap } from '../chat/assertions/race.ts'
import { deniesReplay, header } from '../wire/body.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { StepExpectation } from './file.ts'
import type { IdentifiedExchange } from './references.ts'

/** Empty if only a judge can decide. */
export function expectationsOf(
  { expect = [], evidence }: Finding,
  all: readonly IdentifiedExchange[],
): readonly StepExpectation[] {
  const shown = all.find(({ exchange }) => exchange.id === evidence[0])
  if (!shown) return []
  const unmet = expect
    .flatMap((one) => inSteps(one, all) ?? [])
    .map((one): StepExpectation => ({ step: shown.id, ...one }))
    .filter((one) => !isMet(one, all))
  return isContested(shown, all) ? unmet.filter((one) => 'oneRunWith' in one) : unmet
}

/** With steps in place of exchanges; null if one of these was not sent by the suite. */
function inSteps(expect: Expectation, all: readonly IdentifiedExchange[]): Expectation<string> | null {
  const stepOf = (id: number): string | undefined => all.find(({ exchange }) => exchange.id === id)?.id
  if ('oneRunWith' in expect) return { oneRunWith: expect.oneRunWith.flatMap((id) => stepOf(id) ?? []) }
  const step = 'sameAs' in expect ? stepOf(expect.sameAs) : 'unlike' in expect ? stepOf(expect.unlike) : ''
  if (step === undefined) return null
  if ('sameAs' in expect) return { ...expect, sameAs: step }
  return 'unlike' in expect ? { ...expect, unlike: step } : expect
}

/** Two different messages raced for one key: what a request must get depends on which of them won. */
function isContested({ exchange }: IdentifiedExchange, all: readonly IdentifiedExchange[]): boolean {
  const same = all.filter((other) => keyOfRequest(other.exchange) === keyOfRequest(exchange))
  return same.some((one) =>
    same.some((other) => overlap(one.exchange, other.exchange) && !sameBody(one.exchange, other.exchange)),
  )
}

function sameBody({ request: one }: Exchange, { request: other }: Exchange): boolean {
  return Buffer.from(one.body).equals(other.body)
}

function isMet(expect: StepExpectation, all: readonly IdentifiedExchange[]): boolean {
  const at = (id: string): Exchange | undefined => all.find((one) => one.id === id)?.exchange
  const exchange = at(expect.step)
  if (!exchange?.response) return true
  const { status } = exchange.response
  if ('status' in expect) return status >= expect.status[0] && status <= expect.status[1]
  if ('header' in expect) return hasHeader(expect, exchange)
  if ('type' in expect) return hasType(expect.type, finalOf(exchange)?.[expect.field])
  if ('event' in expect) return events(exchange, expect.event).length === expect.times
  if ('sameAs' in expect) return isSame(expect.field, exchange, at(expect.sameAs))
  if ('unlike' in expect) return status !== 200 || !isSame(expect.field, exchange, at(expect.unlike))
  if ('code' in expect) return codesOf(exchange).includes(expect.code)
  if ('turn' in expect) return !isTurn(exchange)
  const others = expect.oneRunWith.map(at).filter((other) => other !== undefined)
  return [exchange, ...others].filter(isTurn).length <= 1
}

/** The final fields of a reply, or the members of a refusal. */
function finalOf(exchange: Exchange): Readonly<Record<string, unknown>> | null {
  return fields(exchange) ?? object(exchange)
}

function isTurn(exchange: Exchange): boolean {
  return exchange.response?.status === 200 && !isReplay(exchange)
}

function hasHeader(
  { header: name, is, part }: Extract<Expectation, { header: string }>,
  exchange: Exchange,
): boolean {
  const values = header(exchange, name)
  if (is === null) return values.every(deniesReplay)
  return part ? values.some((value) => value.includes(is)) : values.length === 1 && values[0] === is
}

function isSame(field: string, one: Exchange, other: Exchange | undefined): boolean {
  return other !== undefined && canonical(fields(one)?.[field]) === canonical(fields(other)?.[field])
}

function hasType(type: string, value: unknown): boolean {
  if (type === 'absent') return value === undefined
  if (type === 'object') return isObject(value)
  if (type === 'filled string') return typeof value === 'string' && value !== ''
  return typeof value === type
}
