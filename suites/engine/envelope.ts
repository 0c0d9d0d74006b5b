/** How an execution wraps its input, where the target file does not say: found out once per run, with a read. */
import type { OperationFixture } from '../target/target.ts'
import { member } from '../wire/body.ts'
import type { Exchange } from '../wire/exchange.ts'
import { notExercised, stopped } from './ending.ts'
import type { Envelope } from './execution-request.ts'

/** In this order: the first that a read is not refused with counts. */
export const envelopes: readonly Envelope[] = ['/input', '', '/arguments']

/** The most requests that a search takes. */
export const searchMost = envelopes.length

/** Executes a read with its input wrapped so. */
export type Probe = (envelope: Envelope) => Promise<Exchange>

export type EnvelopeSearch = (probe: (read: OperationFixture) => Probe) => Promise<Envelope>

/** Remembers what it found, and searches again where it found nothing. */
export function createEnvelopeSearch(
  declared: Envelope | undefined,
  operations: readonly OperationFixture[],
): EnvelopeSearch {
  let found: Promise<Envelope> | undefined
  const read = operations.find(isTelling) ?? operations.find(isRead)
  return async (probe) => {
    if (declared !== undefined) return declared
    if (!read) throw unknown
    found ??= search(read, probe(read))
    return found.catch((thrown: unknown) => {
      found = undefined
      throw thrown
    })
  }
}

const isRead = ({ write, receipt }: OperationFixture): boolean => !write && receipt === 'completed'

/** Of an input without members nobody can tell where it was looked for. */
const isTelling = (operation: OperationFixture): boolean =>
  isRead(operation) && JSON.stringify(operation.input) !== '{}'

const unknown = notExercised(
  'fixture-missing',
  'nothing says how an execution wraps its input; declare `dialect.execution.input`, or a read under `fixtures.operations` to find it out with',
)

/** A receipt as declared settles it; else what is at least not refused as invalid. */
async function search({ name, receipt }: OperationFixture, probe: Probe): Promise<Envelope> {
  let maybe: Envelope | undefined
  const statuses: number[] = []
  for (const envelope of envelopes) {
    const exchange = await probe(envelope)
    const { status } = exchange.response ?? { status: 0 }
    statuses.push(status)
    if (member(exchange, '/status') === receipt) return envelope
    if (status >= 200 && status < 300) maybe ??= envelope
  }
  if (maybe !== undefined) return maybe
  throw stopped(
    `the read ${name} was answered ${statuses.join(', ')}, however its input was wrapped; declare \`dialect.execution.input\``,
  )
}
