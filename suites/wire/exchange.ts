/** The exchange of the run bundle, as the suites record and judge it. */
import type { Exchange } from '../../reports/bundle/exchange.ts'
import type { Identifiers } from '../../spec/identifiers.ts'

export type {
  Chunk,
  Exchange,
  FailureKind,
  Header,
  Received,
  SentRequest,
} from '../../reports/bundle/exchange.ts'
export { identifiersIn } from '../../spec/identifiers.ts'

/** The exchange as one with a service that has these identifiers. */
export function identified(exchange: Exchange, identifiers: Identifiers | undefined): Exchange {
  return identifiers === undefined ? exchange : { ...exchange, identifiers }
}

/** The exchanges as judges read them. What was recorded stays unchanged: another dialect may judge it again. */
export function inDialect(
  exchanges: readonly Exchange[],
  { errorCode }: { errorCode?: string },
): readonly Exchange[] {
  return errorCode === undefined
    ? exchanges
    : exchanges.map((exchange) => ({ ...exchange, codeAt: errorCode }))
}
