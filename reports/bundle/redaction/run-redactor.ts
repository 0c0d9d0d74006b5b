/** Redacts a run before anything of it is written, and checks each file once more. */
import type { Redaction, Run } from '../record.ts'
import type { Exchange } from '../exchange.ts'
import { createRedactor, isDisclosed, unsearchedText, withheldText, type Secret } from './redaction.ts'
import { createLeakDetector, createLeakScan, Unsearched, type SecretLeft } from './leaks.ts'

export interface RunRedactor {
  /** From now on it is taken out, too. */
  learn(secret: Secret): void
  /** A text of ours: what is part of it is no secret that a response discloses. */
  publish(text: string): void
  text(text: string): string
  /** The same value with every text in it redacted. */
  value<T>(value: T): T
  exchange(exchange: Exchange): Exchange
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
    learn: (secret) => redact.learn(secret),
    publish: (text) => redact.publish(text),
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

function shownIn({ request, response }: Exchange): Buffer {
  const heads = [request.path, request.headers, response?.headers ?? []]
  return Buffer.concat([
    Buffer.from(JSON.stringify(heads)),
    request.body,
    ...(response?.chunks ?? []).map(({ bytes }) => bytes),
  ])
}

/** The run with a token in place of each of these, wherever it occurred. */
export function redacted({ record, journal }: Run, secrets: readonly Secret[]): Run {
  const redact = createRedactor(secrets)
  const exchanges = journal.map((one) => redact.exchange(one))
  return { record: redact.value(record), journal: exchanges }
}
