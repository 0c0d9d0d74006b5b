/** How an execution wraps its input, where the target file does not say: found out once per run, with a read. */
import type { OperationFixture, Target } from '../../config/target.ts'
import { type Exchange, member } from '../../wire/exchange.ts'
import { notExercised, stopped } from '../../scenario/ending.ts'
import type { ExecutionEnvelope } from './execution-request.ts'

/** In this order: the first that a read is not refused with counts. */
export const envelopes: readonly ExecutionEnvelope[] = ['/input', '', '/arguments']

/** Reads that are tried, one after the other, as long as the key may not execute them. */
const readsMost = 3

/** The most requests that a search takes. */
export const searchMost = readsMost - 1 + envelopes.length

export type EnvelopeProbe = (read: OperationFixture, envelope: ExecutionEnvelope) => Promise<Exchange>

export type EnvelopeSearch = (probe: EnvelopeProbe) => Promise<ExecutionEnvelope>

/** Remembers what it found, and searches again where it found nothing. */
export function createEnvelopeSearch(
  declared: ExecutionEnvelope | undefined,
  operations: readonly OperationFixture[],
): EnvelopeSearch {
  let found: Promise<ExecutionEnvelope> | undefined
  const reads = operations.filter(isRead).sort((a, b) => Number(hasInput(b)) - Number(hasInput(a)))
  return async (probe) => {
    if (declared !== undefined) return declared
    if (reads.length === 0) throw unknownEnvelope
    found ??= search(reads.slice(0, readsMost), probe)
    return found.catch((thrown: unknown) => {
      found = undefined
      throw thrown
    })
  }
}

const isRead = ({ write, receipt }: OperationFixture): boolean => !write && receipt === 'completed'

/** An input without members does not show where the target reads it. */
const hasInput = ({ input }: OperationFixture): boolean => JSON.stringify(input) !== '{}'

/** Neither is it declared, nor is there a read to find it out with. */
export function envelopeUnknown({ dialect, fixtures }: Pick<Target, 'dialect' | 'fixtures'>): boolean {
  return dialect.execution?.input === undefined && !fixtures.operations.some(isRead)
}

export const unknownEnvelope = notExercised(
  'fixture-missing',
  'nothing says how an execution wraps its input; declare `dialect.execution.input`, or a read under `fixtures.operations` to find it out with',
)

/** Whatever the wrapping: the key may not, or there is no such operation. */
const closed: readonly number[] = [401, 403, 404]

/** A receipt as declared settles it; else what is at least not refused. */
async function search(
  [read, ...others]: readonly OperationFixture[],
  probe: EnvelopeProbe,
): Promise<ExecutionEnvelope> {
  if (!read) throw unknownEnvelope
  let maybe: ExecutionEnvelope | undefined
  const statuses: number[] = []
  for (const envelope of envelopes) {
    const exchange = await probe(read, envelope)
    const { status } = exchange.response ?? { status: 0 }
    if (closed.includes(status) && others.length > 0) return search(others, probe)
    statuses.push(status)
    if (member(exchange, '/status') === read.receipt) return envelope
    if (status >= 200 && status < 300) maybe ??= envelope
  }
  if (maybe !== undefined) return maybe
  throw stopped(
    `the read ${read.name} was answered ${statuses.join(', ')}, however its input was wrapped; declare \`dialect.execution.input\``,
  )
}
