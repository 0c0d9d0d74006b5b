/**
 * Every limit that keeps clients, tenants and receivers from filling the memory of a simulator, with its unit and its
 * reason. What the contract limits is in spec/limits.ts.
 */
export interface Limit {
  /** How many there may be; the oldest go. */
  readonly most: number
  /** Bytes of all of them together, about; the oldest go, and the newest stays. Default: no limit. */
  readonly bytes?: number
  /** How long one is remembered, in ms on the clock of the tenant; it goes when the next one comes, at the latest. */
  readonly ageMs: number
}

const kibibyte = 1024
const mebibyte = 1024 * kibibyte
const day = 86_400_000

/** Of clients over HTTP; a simulator can be given others, and docs/security.md has each. */
export const simulatorLimits = {
  /** Tenants that the control plane creates: each takes some 100 KB, and its journal. */
  tenants: 1_000,
  /** Open connections of one server: one takes some 20 KB before it has sent anything. */
  connections: 20_000,
  /** Requests in flight, open streams and waits among them: each has a turn, and an entry of a journal. */
  openAnswers: 10_000,
  /** Bytes of request bodies in flight and of responses that wait for their client: nobody has to read or to finish. */
  openBytes: 256 * mebibyte,
  /** Milliseconds that a client may take for a whole request: what drips holds its connection. */
  requestMs: 30_000,
  /** Milliseconds, at the least, that bytes of a response wait for a client that reads nothing. */
  stalledMs: 60_000,
  /** Entries of a journal, and their bytes in memory, about: the oldest go. A larger entry stays until the next one. */
  journalEntries: 10_000,
  journalBytes: 64 * mebibyte,
  /** Bytes of bodies in one read of a journal: they are in memory as text until they are sent. */
  journalReadBytes: 16 * mebibyte,
  /** Open streams of the journal of a tenant: each is sent every change. */
  journalStreams: 16,
  /** Of a tenant, given over the control plane and not used up or removed: each turn looks at all of them. */
  replyRules: 1_000,
  networkFaults: 1_000,
  failures: 1_000,
  barriers: 1_000,
  states: 10_000,
  /** Saved snapshots of a tenant, and bytes of their JSON together, or of one that is downloaded. */
  snapshots: 20,
  snapshotBytes: 16 * mebibyte,
  /** Bytes of the JSON of one reply rule or network fault: it may be sent as often as anybody likes. */
  itemBytes: 64 * kibibyte,
  /** Characters of a reply, with the message wherever the rule wants it. */
  replyCharacters: 100_000,
} as const satisfies Record<string, number>

export const fixedLimits = {
  /** Bytes of the body and of the headers of a request: they are read whole before they are answered. */
  bodyBytes: mebibyte,
  headerBytes: 16 * kibibyte,
  /** Requests of one connection that wait for an earlier response: one read can bring a thousand. */
  pipelinedRequests: 100,
  /** Levels of JSON: it can be parsed deeper than it can be written, and nothing of the service is nearly so deep. */
  jsonLevels: 100,
  /** Characters of a control body of which all errors are reported: to collect those of very many items takes minutes. */
  thoroughCharacters: 20_000,
  /** Characters of texts of a webhook, and bytes of its custom headers: each delivery has them. */
  webhookNameCharacters: 200,
  webhookDescriptionCharacters: 1_000,
  endpointCharacters: 2_048,
  customHeaders: 50,
  customHeaderBytes: 8 * kibibyte,
  customHeadersBytes: 16 * kibibyte,
  /** Bytes of all webhooks of an agent: their list is one response. */
  webhookBytesPerAgent: 512 * kibibyte,
  /** Deliveries of a webhook that wait, and that its log shows: further ones are counted, not made. */
  waitingDeliveries: 20_000,
  loggedDeliveries: 1_000,
  /** Bytes, about, of what the newest attempts of a tenant sent: the oldest go. */
  sentBytes: 4 * mebibyte,
  /** Bytes that are read of the response of a receiver: the connection of a longer one is dropped. */
  receiverBodyBytes: 64 * kibibyte,
  receiverHeaderBytes: 16 * kibibyte,
  /** Bytes of an uploaded file: encoded, it is in the body of one request. */
  uploadBytes: 512 * kibibyte,
  /** Messages of a conversation of the older variant, and their characters: the oldest go. */
  saidMessages: 1_000,
  saidCharacters: mebibyte,
} as const satisfies Record<string, number>

/**
 * What a tenant stores of each kind: entries, bytes where a client chooses the size, and age in ms on the clock of the
 * tenant. The oldest go: without these limits, memory and store would grow with every turn.
 */
export const retention = {
  /** Idempotency keys of chat turns, the older variant among them. */
  keys: { most: 100_000, bytes: 64 * mebibyte, ageMs: 7 * day },
  conversations: { most: 50_000, ageMs: 30 * day },
  offers: { most: 50_000, bytes: 32 * mebibyte, ageMs: 7 * day },
  histories: { most: 10_000, bytes: 64 * mebibyte, ageMs: 30 * day },
  /** Idempotency keys of operations. */
  runs: { most: 50_000, ageMs: 7 * day },
  tasks: { most: 10_000, bytes: 32 * mebibyte, ageMs: 30 * day },
  approvals: { most: 10_000, ageMs: 30 * day },
  /** Of each list of an account, such as its notes. */
  rows: { most: 1_000, bytes: 4 * mebibyte, ageMs: Infinity },
  /** In the logs of all webhooks, and as many that wait. */
  deliveries: { most: 100_000, bytes: 64 * mebibyte, ageMs: 7 * day },
  webhooks: { most: 10_000, ageMs: Infinity },
} as const satisfies Record<string, Limit>

export type Retention = Readonly<Record<keyof typeof retention, Limit>>

export type LimitName = keyof typeof simulatorLimits
export type SimulatorLimits = Readonly<Record<LimitName, number>>

/** Throws a RangeError for an unknown name, or a value that is no whole number above 0. */
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
