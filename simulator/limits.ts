/**
 * How much of the machine those may take who ask over HTTP. What a program does to a simulator of its own is its own
 * affair, but for the journal. What a tenant remembers of turns, runs and webhooks is in simulator/tenant/retention.ts,
 * and what the contract limits in spec/limits.ts. docs/security.md has each of these.
 */

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

export const simulatorLimits = {
  /** Tenants of one simulator that the control plane makes. */
  tenants: 1_000,
  /** Requests of one tenant, or to the control plane about one, that are being answered; open streams and waits among them. */
  openAnswers: 10_000,
  /** Bytes of bodies of its requests in flight, and of responses that wait for their client. */
  openBytes: 64 * mebibyte,
  /** The same, of all tenants. */
  allOpenBytes: 512 * mebibyte,
  /** Of one server, as far as file descriptors allow. */
  connections: 20_000,
  /** Entries of a journal, and what they take in memory; an entry that is larger alone is kept till the next one. */
  journalEntries: 10_000,
  journalBytes: 64 * mebibyte,
  /** Bodies of the entries that one reading of a journal gives. */
  journalReadBytes: 16 * mebibyte,
  /** Those who follow the journal of one tenant. */
  journalStreams: 16,
  /** Of one tenant, given over the control plane and not used up or taken away. */
  replyRules: 1_000,
  networkFaults: 1_000,
  failures: 1_000,
  barriers: 1_000,
  states: 10_000,
  /** Saved under a name, and their JSON together; no larger one is downloaded. */
  snapshots: 20,
  snapshotBytes: 16 * mebibyte,
  /** JSON of one reply rule or network fault. */
  itemBytes: 64 * kibibyte,
  /** A reply as it goes out, with the message in every place where it is wanted. */
  replyCharacters: 100_000,
} as const satisfies Record<string, number>

export type LimitName = keyof typeof simulatorLimits
export type SimulatorLimits = Readonly<Record<LimitName, number>>

/** Throws a RangeError on what is no limit. */
export function limitsWith(chosen: Partial<SimulatorLimits> = {}): SimulatorLimits {
  for (const [name, value] of Object.entries(chosen)) {
    if (!Object.hasOwn(simulatorLimits, name))
      throw new RangeError(
        `There is no limit ${JSON.stringify(name)}; there are: ${Object.keys(simulatorLimits).join(', ')}.`,
      )
    if (!Number.isSafeInteger(value) || value < 1)
      throw new RangeError(`The limit ${name} is ${value}: give a whole number of at least 1.`)
  }
  return { ...simulatorLimits, ...chosen }
}
