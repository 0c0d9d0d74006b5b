/** The record of a run while it goes on: what goes in has secrets, what comes out has none. */
import type { Redactor } from '../../bundle/redaction/redaction.ts'
import type { ScenarioExecution } from '../scenario/ending.ts'
import type { Exchange } from '../wire/exchange.ts'
import { createSignatureFacts } from '../wire/signature-facts.ts'

export interface Recording {
  redactor: Redactor
  /** As they were, in the order they ended. */
  originals: readonly Exchange[]
  /** The same without secrets. Run, `rejudge` and `verify` judge these. */
  journal: readonly Exchange[]
  /** Called with each exchange as it ends. Returns it as recorded: redacted, with the facts that only a secret shows. */
  add: (exchange: Exchange) => Exchange
  of(exchange: Exchange): Exchange
  execution(made: ScenarioExecution): ScenarioExecution
}

export function createRecording(
  redactor: Redactor,
  onExchange: (exchange: Exchange) => void = () => undefined,
  {
    secrets,
    remembered,
  }: {
    /** Of webhooks that were made before. */
    secrets?: readonly string[] | undefined
    /** Gives what is remembered of an exchange in its place. With it, what was added as it was is not asked for. */
    remembered?: ((exchange: Exchange) => Exchange) | undefined
  } = {},
): Recording {
  const [originals, journal]: [Exchange[], Exchange[]] = [[], []]
  const added = new Map<number, Exchange>()
  const factsOf = createSignatureFacts(secrets)
  function add(exchange: Exchange): Exchange {
    const redacted = redactor.exchange(exchange)
    const recorded = { ...redacted, ...factsOf(exchange, redacted) }
    if (!remembered) {
      added.set(exchange.id, recorded)
      originals.push(exchange)
    }
    onExchange(recorded)
    journal.push(remembered?.(recorded) ?? recorded)
    return recorded
  }
  const of = (exchange: Exchange): Exchange => added.get(exchange.id) ?? add(exchange)
  return {
    redactor,
    originals,
    journal,
    add,
    of,
    execution: ({ exchanges, ...made }) => ({
      ...redactor.value(made),
      exchanges: exchanges.map(of),
    }),
  }
}
