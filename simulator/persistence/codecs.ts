/** How one kind of what a tenant remembers is written down and put back. */
import type { JsonObject } from '../json.ts'
import type { Book, BookPlace } from '../tenant/book.ts'
import type { TenantState } from '../rules/tenant-state.ts'
import {
  conversationKey,
  type Conversation,
  type Offer,
  type Account,
  type EntryKind,
} from '../tenant/conversations.ts'
import type { KeyRecord } from '../tenant/keys.ts'
import { listsOf, type AccountData, type Rows, type RowTotals } from '../tenant/operations/account-data.ts'
import type { DeliveryTotals, EndpointHealth, QueuedDelivery } from '../tenant/webhooks/endpoint-queue.ts'
import { allEndpoints } from '../webhooks/delivery/delivery-log.ts'
import { catalogue } from '../operations/catalogue/catalogue.ts'
import type { Job, Operation } from '../tenant/operations/operation.ts'
import { uncertainReceipt, pace } from '../operations/tasks.ts'
import type { OperationRun } from '../tenant/operations/store.ts'
import { renewalOf } from '../operations/uploads/upload.ts'
import { replyRuleFixtures } from '../tenant/fixtures.ts'
import { machineNow } from '../clock/machine-time.ts'

/** It is put back in the order of places within its kind. */
export interface Written extends BookPlace {
  readonly body: JsonObject
}

export interface Codec {
  /** Nobody reports its changes: its entries are few, and are compared with those that were written last. */
  readonly isCompared?: true
  /** Everything of this kind that can be written. */
  ids(state: TenantState): Iterable<string>
  /** As it stands now; undefined: it is gone. */
  write(state: TenantState, id: string): Written | undefined
  /** Puts one back into a tenant that was just made. Kinds come in the order of `codecs`. */
  read(state: TenantState, id: string, written: Written): void
  /** Everything of every kind is back: timers start, and what was under way when the process ended is settled. */
  wake?(state: TenantState): void
}

/** `value` must be plain data; of `Infinity` JSON makes `null`. */
export const entryAt = ({ place, since }: BookPlace, value: object): Written => ({
  place,
  since,
  body: value as JsonObject,
})

/** Of what has no order and no age. */
export const entryWith = (value: object): Written => entryAt({ place: 0, since: 0 }, value)

/** What is read was written by this simulator: the version of the file, or the digest of a snapshot, says so. */
// oxlint-disable-next-line no-unnecessary-type-parameters -- bytes become types here, and nowhere else
export const bodyOf = <T>({ body }: Written): T => body as unknown as T

/** Of what stands in a book: how one value is written and put back is all that they differ in. */
export function bookCodec<T, Stored extends object>(
  bookOf: (state: TenantState) => Book<T>,
  pack: (value: T) => Stored,
  unpack: (stored: Stored, state: TenantState, id: string) => T,
): Codec {
  return {
    ids: (state) => bookOf(state).keys(),
    write: (state, id) => {
      const [value, place] = [bookOf(state).get(id), bookOf(state).placeOf(id)]
      return value && place && entryAt(place, pack(value))
    },
    read: (state, id, entry) => bookOf(state).restore(id, unpack(bodyOf<Stored>(entry), state, id), entry),
  }
}

const same = <T>(value: T): T => value

/** Of a book whose values are plain data. */
export const plainCodec = <T extends object>(bookOf: (state: TenantState) => Book<T>): Codec =>
  bookCodec(bookOf, same<T>, same<T>)

/** Whatever of a tenant is set rather than remembered: a handful of values that stand in one document. */
type Settings = ReturnType<typeof settingsOf> & Partial<ReturnType<typeof chosenOf>>

const settingsOf = (state: TenantState) => ({
  agents: Object.fromEntries(
    [...state.agents.values()].map(({ id, paused, allowed }) => [id, { paused, allowed }]),
  ),
  outages: state.outages.map((outage) => ({ ...outage, times: outage.times ?? 1 })),
  presentations: state.presentations,
})

/** What options choose at first, and the control plane afterwards. */
const chosenOf = (state: TenantState) => ({
  modifications: state.modifications,
  replyRules: state.replyRules.slice(0, -replyRuleFixtures.length),
  networkFaults: state.networkFaults.armed,
  taskPace: state.operations.pace,
  clock: clockOf(state),
})

/** What it shows when the machine says `machine`, both in ms; that of a clock that stands still does not matter. */
const clockOf = ({ clock }: TenantState) => ({
  setting: clock.setting,
  at: clock.now(),
  ...(clock.setting.mode !== 'frozen' && { machine: machineNow() }),
})

const settingsCodec: Codec = {
  isCompared: true,
  ids: () => [''],
  write: (state) => entryWith({ ...settingsOf(state), ...chosenOf(state) }),
  read: (state, _id, entry) => {
    const { agents, outages, presentations, clock, ...chosen } = bodyOf<Settings>(entry)
    for (const [id, agent] of Object.entries(agents)) Object.assign(state.agents.get(id) ?? {}, agent)
    // JSON has null for Infinity.
    const endless = outages.map((outage) => ({ ...outage, times: outage.times ?? Infinity }))
    state.outages.splice(0, Infinity, ...endless)
    state.presentations = presentations
    if (!clock) return
    const { modifications = {}, replyRules = [], networkFaults = [], taskPace = null } = chosen
    state.deviate(modifications)
    state.replyRules.splice(0, Infinity, ...replyRules, ...replyRuleFixtures)
    state.networkFaults.clear()
    state.networkFaults.arm(networkFaults.map((armed) => ({ ...armed, left: armed.left ?? Infinity })))
    state.operations.pace = taskPace
    // A clock that is not frozen has gone on meanwhile.
    const now = machineNow()
    const { setting, at, machine = now } = clock
    state.clock.set(
      setting,
      at + Math.max(0, now - machine) * (setting.mode === 'scaled' ? setting.factor : 1),
    )
  },
}

/** For whoever begins a tenant with other options, and means those. */
export function withoutChosen(entry: Written): Written {
  const { agents, outages, presentations } = bodyOf<Settings>(entry)
  return entryWith({ agents, outages, presentations })
}

/**
 * Work that outlives its request and its process: tasks, what waits for the owner, and the keys of writes. A job is
 * written by names: no secret is written down, and nothing that another document has.
 */

/** What waits for the owner, and what the owner decided. */
const approvalCodec = bookCodec(
  ({ operations }) => operations.approvals,
  ({ operation, job, connection, askedAt, decision, receipt }) => ({
    held: storedJob(operation, job),
    connection,
    askedAt,
    decision,
    receipt,
  }),
  ({ held, ...rest }, state, id) => {
    const { operation, job } = jobOf(state, held)
    return { id, account: job.apiKey.account, operation, job, ...rest }
  },
)

/** What is paced by time catches up with what it missed. */
const taskCodec: Codec = {
  ...bookCodec(
    ({ operations }) => operations.tasks,
    ({ row, job, connection, state, since, ahead, reads, receipt }) => ({
      carries: storedJob(row, job),
      connection,
      state,
      since,
      ahead,
      reads: ahead.length > 0 ? reads : 0,
      receipt,
    }),
    ({ carries, ...rest }, state, id) => {
      const { operation: row, job } = jobOf(state, carries)
      const { account } = job.apiKey
      return { id, account, operation: row.id, row, agent: job.agent?.id ?? null, job, ...rest }
    },
  ),
  wake: (state) => {
    for (const task of state.operations.tasks.values()) pace(state, task)
  },
}

/** Keys of writes. What ran when its process ended is not known to have come to anything. */
const runCodec = bookCodec<OperationRun, OperationRun>(
  ({ operations }) => operations.runs,
  (run) => run,
  (run) => ({ ...run, receipt: run.receipt ?? uncertainReceipt() }),
)

type StoredJob = ReturnType<typeof storedJob>

/** `apiKey`: its role. `renews`: it is the renewal of an upload. */
const storedJob = ({ id, renews }: Operation, { apiKey, agent, input }: Job) => ({
  operation: id,
  renews,
  apiKey: apiKey.name,
  agent: agent?.id ?? null,
  input,
})

/** Throws where this simulator has no such operation, or the tenant no such API key. */
function jobOf(state: TenantState, { operation: id, renews, apiKey: role, agent, input }: StoredJob) {
  const { agents, apiKeys, operations, rules } = state
  const apiKey = [...apiKeys.values()].find(({ name }) => name === role)
  // The row of the rules counts, which a modification may have changed.
  const row = [...rules.catalogue, ...catalogue].find((one) => one.id === id)
  if (!apiKey || !row) throw new Error(`The tenant ${state.id} has no operation ${id} or no API key ${role}.`)
  const job: Job = {
    apiKey,
    input,
    agent: agents.get(agent ?? '') ?? null,
    data: operations.dataOf(apiKey.account),
  }
  return { operation: renews ? renewalOf(row) : row, job }
}

const endpointCodec: Codec = {
  ids: ({ webhooks }) => [allEndpoints, ...webhooks.keys()],
  write: ({ outbox }, id) => {
    if (id === allEndpoints) {
      const totals = outbox.totals()
      return totals && entryWith(totals)
    }
    const health = outbox.health(id)
    return health && entryWith({ failures: health.failures, pause: health.pause })
  },
  read: ({ outbox, webhooks }, id, entry) => {
    if (id === allEndpoints) return outbox.restoreTotals(bodyOf<DeliveryTotals>(entry))
    const webhook = webhooks.get(id)
    const { failures, pause } = bodyOf<EndpointHealth>(entry)
    const until = pause?.until ?? Infinity
    if (webhook) outbox.restoreHealth(webhook, { failures, pause: pause && { ...pause, until } })
  },
}

interface StoredDelivery extends Omit<QueuedDelivery, 'webhook' | 'sequence' | 'since'> {
  readonly webhook: string
}

const deliveryCodec: Codec = {
  ids: ({ outbox }) => outbox.keys(),
  write: ({ outbox }, key) => {
    const queued = outbox.queued(key)
    if (!queued) return undefined
    const { webhook, sequence: place, since, ...rest } = queued
    // One in flight is sent again by whoever comes after this process.
    const state = rest.state === 'in-flight' ? 'waiting' : rest.state
    return entryAt({ place, since }, { ...rest, state, webhook: webhook.id } satisfies StoredDelivery)
  },
  read: ({ outbox, webhooks }, _key, entry) => {
    const { webhook: id, ...rest } = bodyOf<StoredDelivery>(entry)
    const webhook = webhooks.get(id)
    // Nothing is sent to a webhook that there is no more, and nobody asks for its log.
    if (webhook) outbox.restoreDelivery({ ...rest, webhook, sequence: entry.place, since: entry.since })
  },
  wake: ({ outbox }) => outbox.wake(),
}

const entriesOf = (data: AccountData): [name: string, rows: Rows<object>][] => Object.entries(listsOf(data))
const accountIn = (id: string): string => id.split('/')[0] ?? ''

const bookOf = (data: AccountData, id: string): Book<object> | undefined =>
  entriesOf(data).find(([name]) => name === id.split('/')[1])?.[1].book

/** An account by its own id: how many rows it had of each list. Every row by the account, its list and an id. */
const accountDataCodec: Codec = {
  ids: ({ operations }) =>
    [...operations.data].flatMap(([account, data]) => [
      account,
      ...entriesOf(data).flatMap(([, { book }]) => [...book.keys()]),
    ]),
  write: ({ operations }, id) => {
    const data = operations.data.get(accountIn(id))
    if (!data) return undefined
    if (!id.includes('/'))
      return entryWith(Object.fromEntries(entriesOf(data).map(([name, { tally }]) => [name, tally])))
    const book = bookOf(data, id)
    const [row, place] = [book?.get(id), book?.placeOf(id)]
    return row && place && entryAt(place, row)
  },
  read: ({ operations }, id, entry) => {
    const account = accountIn(id)
    const data = operations.data.get(account) ?? operations.emptyDataOf(account)
    if (id.includes('/')) return bookOf(data, id)?.restore(id, bodyOf<object>(entry), entry)
    const tallies = bodyOf<Record<string, RowTotals>>(entry)
    for (const [name, { tally }] of entriesOf(data)) Object.assign(tally, tallies[name])
  },
}

/** Credits and plan of an account. What is held for turns that run is not stored: they end with the process. */
const accountCodec: Codec = {
  isCompared: true,
  ids: ({ accounts }) => accounts.keys(),
  write: ({ accounts }, id) => {
    const { balance, plan } = accounts.get(id) ?? {}
    return balance === undefined ? undefined : entryWith({ balance, plan })
  },
  read: ({ accounts }, id, entry) =>
    void Object.assign(accounts.get(id) ?? {}, bodyOf<Pick<Account, 'balance' | 'plan'>>(entry)),
}

/** A conversation that is forgotten already comes back with the last of its buttons, and stands nowhere else. */
const offerCodec = bookCodec<Offer, Offer>(
  ({ offers }) => offers,
  (offer) => offer,
  ({ conversation, presentation }, { conversations }) => ({
    conversation: conversations.get(conversationKey(conversation)) ?? conversation,
    presentation,
  }),
)

/**
 * Idempotency keys. A turn that ran when its process ended is not known to have come to anything: its key is
 * uncertain from then on, and nothing runs it again.
 */
const keyCodec: Codec = {
  ids: ({ keys }) => Array.from(keys.values(), ({ id }) => id),
  write: ({ keys }, id) => {
    const [record, place] = [keys.find(id), keys.placeOf(id)]
    return record && place && entryAt(place, { record })
  },
  read: ({ keys }, _id, entry) => keys.restore(bodyOf<{ record: KeyRecord }>(entry).record, entry),
  wake: ({ keys }) => {
    for (const record of keys.running) keys.settle(record, { is: 'uncertain' })
  },
}

export const codecs: Readonly<Record<EntryKind, Codec>> = {
  settings: settingsCodec,
  account: accountCodec,
  data: accountDataCodec,
  conversation: plainCodec<Conversation>(({ conversations }) => conversations),
  offer: offerCodec,
  key: keyCodec,
  history: plainCodec(({ older }) => older.histories),
  run: runCodec,
  approval: approvalCodec,
  task: taskCodec,
  // With their secrets and custom headers, which queued deliveries need.
  webhook: plainCodec(({ webhooks }) => webhooks),
  endpoint: endpointCodec,
  delivery: deliveryCodec,
}

export const kinds = Object.keys(codecs) as EntryKind[]

/** One item that a tenant remembers. */
export interface Entry extends Written {
  readonly kind: EntryKind
  readonly id: string
}

export const byPlace = (one: Entry, other: Entry): number => one.place - other.place

/** Fills a tenant that has nothing but its fixtures. No timer starts before `wake`. Throws on a damaged entry. */
export function readEntries(state: TenantState, entries: readonly Entry[]): void {
  const byKind = Map.groupBy(entries, ({ kind }) => kind)
  for (const kind of kinds)
    for (const entry of (byKind.get(kind) ?? []).sort(byPlace)) codecs[kind].read(state, entry.id, entry)
}

export function wake(state: TenantState): void {
  for (const kind of kinds) codecs[kind].wake?.(state)
}
