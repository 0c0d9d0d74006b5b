/** Redacts a run before anything of it is written, and checks each file once more. */
import type { Redaction, Run } from '../record.ts'
import { joined } from '../chunks.ts'
import type { Exchange } from '../exchange.ts'
import { binary } from '../text.ts'
import {
  createRedactor,
  isDisclosed,
  unsearchedText,
  withheldText,
  type Redactor,
  type Secret,
} from './redaction.ts'
import { createLeakDetector, createLeakScan, Unsearched, type SecretLeft } from './leaks.ts'

export interface RunRedactor extends Omit<Redactor, 'withheld' | 'counts' | 'secrets'> {
  /** The same without bodies and headers, from now on. */
  withheld(exchange: Exchange, because: SecretLeft): Exchange
  /**
   * What a response disclosed, and what stood in one before, is no secret from now on: it would be in every file that is
   * made of the run. `journal`: as it was written.
   */
  forgetShown(journal: readonly Exchange[]): void
  /** Of the run so far. */
  redaction(): Redaction
  /** Throws, with nothing of the secret, where one was left in; of a target also where one may be hidden. */
  mustBeClean(files: ReadonlyMap<string, string | Uint8Array>, isOfTarget?: boolean): void
}

/** `disclose`: the secrets of webhooks that the run itself makes and removes are left in. */
export function redactorOf(secrets: readonly Secret[], disclose = false): RunRedactor {
  const redact = createRedactor(secrets, { disclose })
  let scan = createLeakScan()
  const forgotten = new Set<string>()
  /** Events and the run at its end have the same exchanges. */
  const exchanges = new WeakMap<Exchange, Exchange>()
  return {
    ...redact,
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
    forgetShown(journal) {
      const detector = createLeakDetector()
      for (const { name, value } of redact.secrets()) if (isDisclosed(name)) detector.learn(value)
      for (const exchange of journal)
        for (const value of detector.found(shownIn(exchange))) forgotten.add(value)
      scan = createLeakScan()
    },
    redaction: () => ({ counts: redact.counts(), disclosed: disclose }),
    mustBeClean: (files, isOfTarget) =>
      scan(
        files,
        redact.secrets().filter(({ value }) => !forgotten.has(value)),
        isOfTarget,
      ),
  }
}

/** One character per byte. */
function shownIn({ request, response }: Exchange): string {
  const heads = [request.path, request.headers, response?.headers ?? []]
  const bodies = [request.body, joined(response?.chunks)]
  return [binary(JSON.stringify(heads)), ...bodies.map((body) => Buffer.from(body).toString('latin1'))].join(
    '',
  )
}

/** The run with a token in place of each of these, wherever it occurred. */
export function redacted({ record, journal }: Run, secrets: readonly Secret[]): Run {
  const redact = createRedactor(secrets)
  const exchanges = journal.map((one) => redact.exchange(one))
  return { record: redact.value(record), journal: exchanges }
}
