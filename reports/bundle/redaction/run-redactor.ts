/** Redacts a run before anything of it is written, and checks each file once more. */
import type { Redaction, Run } from '../record.ts'
import type { Exchange } from '../exchange.ts'
import { createRedactor, unsearchedText, withheldText, type Secret } from './redaction.ts'
import { createLeakScan, Unsearched, type SecretLeft } from './leaks.ts'

export interface RunRedactor {
  /** From now on it is taken out, too. */
  learn(secret: Secret): void
  text(text: string): string
  /** The same value with every text in it redacted. */
  value<T>(value: T): T
  exchange(exchange: Exchange): Exchange
  /** The same without bodies and headers, from now on. */
  withheld(exchange: Exchange, because: SecretLeft): Exchange
  /** Of the run so far. */
  redaction(): Redaction
  /** Throws, with nothing of the secret, where one was left in; of a target also where one may be hidden. */
  mustBeClean(files: ReadonlyMap<string, string | Uint8Array>, isOfTarget?: boolean): void
}

/** `disclose`: the secrets of webhooks that the run itself makes and removes are left in. */
export function redactorOf(secrets: readonly Secret[], disclose = false): RunRedactor {
  const redact = createRedactor(secrets, { disclose })
  const scan = createLeakScan()
  /** Events and the run at its end have the same exchanges. */
  const exchanges = new WeakMap<Exchange, Exchange>()
  return {
    learn: (secret) => redact.learn(secret),
    text: (text) => redact.text(text),
    value: (value) => redact.value(value),
    exchange(exchange) {
      const known = exchanges.get(exchange) ?? redact.exchange(exchange)
      exchanges.set(exchange, known)
      return known
    },
    withheld(exchange, because) {
      const withheld = redact.withheld(
        exchange,
        because instanceof Unsearched ? unsearchedText : withheldText,
      )
      exchanges.set(exchange, withheld)
      return withheld
    },
    redaction: () => ({ counts: redact.counts(), disclosed: disclose }),
    mustBeClean: (files, isOfTarget) => scan(files, redact.secrets(), isOfTarget),
  }
}

/** The run with a token in place of each of these, wherever it occurred. */
export function redacted({ record, journal }: Run, secrets: readonly Secret[]): Run {
  const redact = createRedactor(secrets)
  const exchanges = journal.map((one) => redact.exchange(one))
  return { record: redact.value(record), journal: exchanges }
}
