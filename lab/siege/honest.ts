/** Honest clients: they send what the contract allows, retry as it says, and compare every answer with the oracle. */
import { setTimeout as pause } from 'node:timers/promises'
import { isObject, type JsonObject } from '../../simulator/json.ts'
import type { Random } from '../../simulator/tenant/random.ts'
import { jsonIn, type Answer, type Caller } from './call.ts'
import {
  messageOf,
  replyTo,
  turnResult,
  type Entry,
  type EntryKind,
  type Oracle,
  type Seen,
} from './oracle.ts'
import { formatted, type Phases } from './phases.ts'
import { controlToken, storedMost, type Access } from './tenants.ts'

export interface HonestOptions {
  readonly urls: readonly string[]
  readonly access: Access
  readonly oracle: Oracle
  readonly caller: Caller
  readonly phases: Phases
  readonly random: Random
}

/** Between two requests of one client, in ms. */
const paceMs = 100
const retryMs = 100
/** Attempts before the oracle gives up on a request: about a minute. */
const triesMost = 600

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const dataOf = (body: JsonObject): JsonObject => (isObject(body['data']) ? body['data'] : {})

const urlOf = ({ urls, random }: HonestOptions): string => urls[random.below(urls.length)] ?? ''
const bearer = ({ access }: HonestOptions) => ({ authorization: `Bearer ${access.key}` })

/** The final fields of a stream; undefined where its tokens are not its reply, or it has no single end. */
function streamed(text: string): JsonObject | undefined {
  const events = text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => jsonIn(block.replace(/^data: /, '')))
  const done = events.filter(({ type }) => type === 'done')
  const tokens = events.flatMap(({ type, token }) => (type === 'token' ? textOf(token) : [])).join('')
  const [end] = done
  if (!end || done.length > 1 || events.at(-1) !== end) return undefined
  return tokens === '' || tokens === end['response'] ? end : undefined
}

function seenTurn(entry: Entry, { text, headers }: Answer): Seen {
  const body = entry.kind === 'stream' ? streamed(text) : jsonIn(text)
  const used = body?.['credits_used']
  const response = textOf(body?.['response'])
  if (!body || typeof used !== 'number')
    return { is: 'wrong', words: `a reply without its end: ${formatted(text)}` }
  if (response !== replyTo(entry)) return { is: 'wrong', words: `the reply is ${formatted(response)}` }
  return {
    is: 'result',
    result: turnResult(textOf(body['conversation_id']), response),
    used: Math.round(used * 1000),
    replayed: headers['x-service-idempotent-replay'] === 'true',
  }
}

const leadsTo: Readonly<Partial<Record<EntryKind, string>>> = { import: 'task_id', erasure: 'approval_id' }

function seenReceipt(entry: Entry, { text }: Answer): Seen {
  const body = jsonIn(text)
  const member = leadsTo[entry.kind]
  const result = member === undefined ? textOf(dataOf(body)['id']) : textOf(body[member])
  // An approval that was decided leads to what came of it.
  const ended = entry.kind === 'erasure' && ['completed', 'failed'].includes(textOf(body['status']))
  if (result === '' && !ended) return { is: 'wrong', words: `the receipt is ${formatted(text)}` }
  return { is: 'result', result: ended ? entry.result : result, used: 0, replayed: false }
}

const isTurn = ({ kind }: Entry): boolean => kind === 'turn' || kind === 'stream'

function seenIn(entry: Entry, answer: Answer): Seen {
  const { status, text, words } = answer
  if (status === 0) return { is: 'away', words }
  if (status === 503) return { is: 'away', words: `503 ${formatted(text)}` }
  // A stream is cut where its replica dies; outside of every fault, that is an answer without its end.
  if (isTurn(entry) && status === 200) {
    const seen = seenTurn(entry, answer)
    return seen.is === 'wrong' && answer.declared ? { is: 'away', words: seen.words } : seen
  }
  if (text.includes('REQUEST_IN_PROGRESS')) return { is: 'in-progress' }
  if (text.includes('OUTCOME_UNCERTAIN')) return { is: 'uncertain' }
  if (!isTurn(entry) && (status === 200 || status === 202 || status === 422))
    return seenReceipt(entry, answer)
  return { is: 'wrong', words: `was answered ${status} ${formatted(text)}` }
}

const inputOf: Readonly<
  Record<Exclude<EntryKind, 'turn' | 'stream'>, readonly [string, (key: string) => JsonObject]>
> = {
  note: ['notes.create', (key) => ({ text: key })],
  import: [
    'customers.import',
    (key) => ({ customers: [{ name: key.slice(0, 80), email: 'a@example.com' }] }),
  ],
  erasure: ['customers.erase', (key) => ({ customerId: customerOf(key), reason: 'law', note: key })],
}

/** A customer that there is not: erasing it leaves one erasure with its id. */
const customerOf = (key: string): string => `cus_${key.replace(/\D/g, '').slice(-7).padStart(7, '0')}`

function requestOf(options: HonestOptions, entry: Entry) {
  const { key, kind, conversation } = entry
  const headers = bearer(options)
  if (kind === 'turn' || kind === 'stream') {
    const body = {
      message: messageOf(entry),
      idempotency_key: key,
      ...(kind === 'stream' && { stream: true }),
      ...(conversation !== undefined && { conversation_id: conversation }),
    }
    return { url: `${urlOf(options)}/api/v1/chat/${options.access.agent}`, headers, body }
  }
  const [operation, input] = inputOf[kind]
  return {
    url: `${urlOf(options)}/api/v1/operation-executions/${operation}`,
    headers: { ...headers, 'idempotency-key': key },
    body: { input: input(key) },
  }
}

/** Sends a request until it is known what came of it. */
export async function settle(options: HonestOptions, entry: Entry): Promise<void> {
  const { oracle, caller } = options
  for (let tries = 0; tries < triesMost; tries++) {
    const wasKnown = entry.state === 'known'
    const answer = await caller.send(requestOf(options, entry), true)
    const seen = seenIn(entry, answer)
    oracle.note(entry, seen, wasKnown, answer.declared)
    if (seen.is !== 'away' && seen.is !== 'in-progress') return
    await pause(retryMs)
  }
  oracle.violate(`${entry.kind} ${entry.key} never came to anything`)
}

/** Reads until there is an answer other than 503; an empty object where that is none to go on with. */
export async function read(
  options: HonestOptions,
  path: string,
  call: { control?: object } = {},
): Promise<JsonObject> {
  const { caller, oracle } = options
  const { control: body } = call
  const headers = body ? { authorization: `Bearer ${controlToken}` } : bearer(options)
  for (let tries = 0; tries < triesMost; tries++) {
    const url = urlOf(options) + path
    const answer = await caller.send({ method: body ? 'POST' : 'GET', url, headers, ...(body && { body }) })
    const { status, text, words, declared } = answer
    if (status === 200) return jsonIn(text)
    // The decision was taken by an attempt whose answer was lost.
    if (body && status === 409 && tries > 0) return {}
    const isAway = status === 0 || status === 503
    if (!declared || !isAway) oracle.violate(`${path} was answered ${status} ${formatted(text + words)}`)
    if (!isAway) return {}
    await pause(retryMs)
  }
  oracle.violate(`${path} was never answered`)
  return {}
}

export async function creditsOf(options: HonestOptions): Promise<number> {
  const { credits } = await read(options, '/api/v1/billing/usage')
  return isObject(credits) && typeof credits['remaining'] === 'number' ? credits['remaining'] : Number.NaN
}

/** A task ends as completed, and stays so. */
async function followTask(options: HonestOptions, entry: Entry): Promise<void> {
  for (let reads = 0; reads < triesMost; reads++) {
    const { state } = await read(options, `/api/v1/tasks/${entry.result}`)
    if (state === 'completed') return
    if (state !== 'queued' && state !== 'running')
      return options.oracle.violate(`the task of ${entry.key} is ${JSON.stringify(state)}`)
    await pause(retryMs)
  }
  options.oracle.violate(`the task of ${entry.key} never ended`)
}

/** What the owner approves is done once; what is rejected is not done. */
async function decide(options: HonestOptions, entry: Entry): Promise<void> {
  const { access, oracle, caller } = options
  const decision = oracle.entries.indexOf(entry) % 20 < mix.length ? 'rejected' : 'approved'
  await read(options, `/_sim/v1/tenants/${access.id}/approvals/${entry.result}`, { control: { decision } })
  const { state } = await read(options, `/api/v1/approvals/${entry.result}`)
  if (state !== decision) oracle.violate(`the approval of ${entry.key} is ${JSON.stringify(state)}`)
  await settle(options, entry)
  const input = { customerId: customerOf(entry.key) }
  const url = `${urlOf(options)}/api/v1/operation-executions/customers.erasures`
  const { status, text } = await caller.send({ url, headers: bearer(options), body: { input } })
  const { count } = dataOf(jsonIn(text))
  const expected = decision === 'approved' ? 1 : 0
  if (status === 200 && count !== expected)
    oracle.violate(`the ${decision} erasure ${entry.key} was done ${JSON.stringify(count)} times`)
}

const follow: Readonly<Partial<Record<EntryKind, (options: HonestOptions, entry: Entry) => Promise<void>>>> =
  {
    import: followTask,
    erasure: decide,
  }

/** The same key with another message is a conflict. */
async function conflict(options: HonestOptions, entry: Entry): Promise<void> {
  const { caller, oracle } = options
  const { url, headers, body } = requestOf(options, entry)
  const answer = await caller.send({ url, headers, body: { ...body, message: 'Something else.' } })
  if (answer.text.includes('IDEMPOTENCY_CONFLICT')) return
  if (answer.declared && (answer.status === 0 || answer.status === 503)) return
  oracle.violate(
    `the key ${entry.key} with another message was answered ${answer.status} ${formatted(answer.text + answer.words)}`,
  )
}

/** In turn, so that even a short run has each of them. */
const mix: readonly EntryKind[] = [
  'turn',
  'turn',
  'turn',
  'turn',
  'turn',
  'stream',
  'stream',
  'note',
  'import',
  'erasure',
]

/** A request that is stored still, however many others came after it. */
function known({ oracle, random }: HonestOptions): Entry | undefined {
  const { entries } = oracle
  const reach = Math.min(entries.length, storedMost / 2)
  const entry = entries[entries.length - 1 - random.below(Math.max(1, reach))]
  return entry?.state === 'known' ? entry : undefined
}

async function step(options: HonestOptions): Promise<void> {
  const { oracle, random } = options
  const old = known(options)
  const draw = random.below(10)
  if (old && draw < 3) return settle(options, old)
  if (old && isTurn(old) && draw === 3) return conflict(options, old)
  const kind = mix[oracle.entries.length % mix.length] ?? 'turn'
  const continued = old && isTurn(old) && (kind === 'turn' || kind === 'stream') && draw === 4
  const conversation = continued ? old.result.slice(0, old.result.indexOf(':')) : undefined
  const entry = oracle.fresh(kind, conversation)
  await settle(options, entry)
  if (entry.state === 'known') await follow[kind]?.(options, entry)
}

/** Sends until the signal; every request that was begun is settled. */
export async function keepHonest(options: HonestOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await step(options)
    await pause(paceMs)
  }
}

/** Sends some of what was answered before once more. */
export async function resendKnown(options: HonestOptions, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent++) {
    const entry = known(options)
    if (entry) await settle(options, entry)
  }
}
