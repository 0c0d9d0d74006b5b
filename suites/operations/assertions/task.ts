/** Judgements on tasks, for one read or a history of reads. */
import { finalTaskStates, taskStates } from '../../../spec/index.ts'
import type { Judgement } from '../../scenario/scenario.ts'
import type { Dialect, Decision, EffectCount } from '../../config/dialect.ts'
import { type Exchange, at, type Json, json, member } from '../../wire/exchange.ts'
import { answered, isJson, object, shown, status, statusOf } from '../../assertions/answer.ts'
import {
  citing,
  fail,
  check,
  every,
  given,
  inconclusive,
  observed,
  pass,
  warn,
} from '../../scenario/expect.ts'
import { inside, isArray } from '../../assertions/pointer.ts'
import { taskIdOf } from './pointers/pointer-receipt.ts'
import { receiptStatus } from './receipt.ts'

const isOk = (exchange: Exchange): boolean => statusOf(exchange) === 200 && exchange.failure === null

export function stateShown(read: Exchange, dialect: Dialect): string | null {
  const state = isOk(read) ? taskStateIn(read, dialect) : undefined
  return typeof state === 'string' ? state : null
}

export function isFinal(state: string | null): boolean {
  return finalTaskStates.some((final) => final === state)
}

/** The work cannot continue by itself. */
export function isAtRest(read: Exchange, dialect: Dialect): boolean {
  const state = stateShown(read, dialect)
  return isFinal(state) || state === 'input_required'
}

/** 200 with JSON whose content type is not another one. */
export function readableTask(read: Exchange): Judgement {
  return given(answered(read), () => {
    const judged = status(read, 200)
    if (judged.is !== 'pass') return judged
    const type = isJson(read) ? '' : 'another content type: '
    return check(isJson(read) && json(read).ok, 'JSON', `${type}${shown(read, 120)}`, read)
  })
}

export function hasState(read: Exchange, dialect: Dialect): Judgement {
  return given(readableTask(read), () => {
    const state = taskStateIn(read, dialect)
    if (state === undefined && dialect.task?.state === undefined && isDeeper(read))
      return inconclusive('a `state` stands deeper in the task; declare `dialect.task.state`')
    return check(typeof state === 'string', 'a text `state`', JSON.stringify(state) ?? 'none', read)
  })
}

/** The task may be inside an envelope. */
function isDeeper(read: Exchange): boolean {
  const body = json(read)
  return (
    body.ok &&
    [...inside(body.value)].some(({ name, value }) => name === 'state' && typeof value === 'string')
  )
}

export function hasKnownState(read: Exchange, dialect: Dialect): Judgement {
  return given(hasState(read, dialect), () => {
    const state = stateShown(read, dialect) ?? ''
    const isKnown = taskStates.some((known) => known === state)
    return check(isKnown, `one of ${taskStates.join(', ')}`, JSON.stringify(state), read)
  })
}

/**
 * For every reader, a final state is the state of every later read that shows one. Before that any order is accepted.
 * Inconclusive if no task was read again after it was final.
 */
export function staysFinal(reads: readonly Exchange[], dialect: Dialect): Judgement {
  const ends = new Map<string, { state: string; read: Exchange; later: Exchange[] }>()
  let again = 0
  for (const read of [...reads].sort((one, other) => one.id - other.id)) {
    const state = stateShown(read, dialect)
    if (state === null) continue
    const { path } = read.request
    const end = ends.get(path)
    if (end === undefined) {
      if (isFinal(state)) ends.set(path, { state, read, later: [] })
    } else {
      again++
      if (state !== end.state)
        return citing(
          fail(`\`${end.state}\`, as before`, `\`${state}\``, read),
          ...[end.read, ...end.later].map((one) => [one, `read as ${end.state}`] as const),
          [read, `read as ${state}`],
        )
      end.later.push(read)
    }
  }
  if (again > 0) return pass
  return inconclusive(
    ends.size === 0 ? 'no task came to its end in the time that was given' : 'no final task was read again',
  )
}

/**
 * Different operations have different tasks, otherwise a client could not follow one of them. One task for each
 * receipt is not stated.
 */
export function tasksApart(receipts: readonly Exchange[], dialect: Dialect): Judgement {
  const begun = new Map<string, Exchange>()
  for (const receipt of receipts.filter((one) => receiptStatus(one) === 'accepted')) {
    const id = taskIdOf(receipt, dialect)
    if (id === null) continue
    const other = begun.get(id)
    if (other && other.request.path !== receipt.request.path)
      return warn('a task of its own', `the task ${id} of ${other.request.path}`, receipt)
    begun.set(id, receipt)
  }
  return begun.size > 0 ? pass : inconclusive('no receipt shows the id of a task')
}

/** Whatever the status of the refusal, the response shows no state of a task. */
export function unknownTask(read: Exchange, dialect: Dialect): Judgement {
  return given(answered(read), () => {
    const got = statusOf(read)
    if (got >= 500) return inconclusive(`\`${read.name}\` was answered ${got}, which is no refusal`)
    if (got >= 300) return pass
    const state = taskStateIn(read, dialect)
    const hasNone = typeof state !== 'string'
    return check(
      hasNone,
      'no state of a task that does not exist',
      `status ${got}: ${shown(read, 120)}`,
      read,
    )
  })
}

export function taskMembers(reads: readonly Exchange[]): Judgement {
  const names = reads.filter(isOk).flatMap((read) => Object.keys(object(read) ?? {}))
  const others = [...new Set(names)].filter((name) => name !== 'state').sort()
  return names.length === 0 ? inconclusive('no task was read') : observed(others.join(', ') || 'nothing')
}

/** The sequence of observed states; states between two reads are missing. */
export function statePaths(reads: readonly Exchange[], dialect: Dialect): Judgement {
  const byPath = Map.groupBy(reads, ({ request }) => request.path)
  const paths = [...byPath.values()].flatMap((same) => {
    const states = same.flatMap((read) => stateShown(read, dialect) ?? [])
    const steps = states.filter((state, i) => state !== states[i - 1])
    return steps.length > 0 ? [steps.join(' → ')] : []
  })
  return paths.length === 0
    ? inconclusive('no task showed a state')
    : observed([...new Set(paths)].sort().join('; '))
}

/** All reads satisfy this, except those that we aborted. */
export function everyRead(reads: readonly Exchange[], judge: (read: Exchange) => Judgement): Judgement {
  return every(
    reads.filter(({ failure }) => failure?.kind !== 'aborted'),
    judge,
  )
}

export function statuses(exchanges: readonly Exchange[]): Judgement {
  const seen = exchanges.flatMap(({ response }) => (response ? [response.status] : []))
  return seen.length === 0 ? inconclusive('nothing was answered') : observed([...new Set(seen)].join(', '))
}

/** Undefined if there is none; without a declaration only the name in the contract is used. */
export function taskStateIn(task: Exchange, { task: declared }: Dialect): Json | undefined {
  return member(task, declared?.state ?? '/state')
}

const stateNames = ['/state', '/status', '/decision', '/approval/state', '/approval/status', '/data/state']

const words: Readonly<Record<Decision, readonly string[]>> = {
  pending: ['pending', 'pending_approval', 'waiting', 'requested', 'open'],
  approved: ['approved', 'accepted', 'granted', 'completed'],
  rejected: ['rejected', 'denied', 'declined', 'refused', 'failed'],
}

/** The decision of an approval; null if nothing declared, or known to the search, shows one. */
export function decisionIn(approval: Exchange, { approval: declared = {} }: Dialect): Decision | null {
  const body = json(approval)
  if (!body.ok) return null
  const places = declared.state === undefined ? stateNames : [declared.state]
  for (const place of places) {
    const said = at(body.value, place)
    const decision = typeof said === 'string' ? decisionOf(said, declared) : null
    if (decision !== null) return decision
  }
  return null
}

function decisionOf(said: string, declared: NonNullable<Dialect['approval']>): Decision | null {
  const decisions = Object.keys(words) as Decision[]
  const means = (decision: Decision) => declared[decision] ?? words[decision]
  const word = said.toLowerCase()
  return decisions.find((decision) => means(decision).some((one) => one.toLowerCase() === word)) ?? null
}

/** A number, or the length of a list, at a pointer of the body; null if it has neither. */
export function countIn(exchange: Exchange, { count, step = 1 }: EffectCount): number | null {
  const found = member(exchange, count)
  const size = isArray(found) ? found.length : found
  return typeof size === 'number' ? Number((size / step).toFixed(6)) : null
}

/** The content of a listing: the body of its route, or the `data` of a completed receipt. */
export function shownIn(exchange: Exchange): Json | undefined {
  const isExecution = exchange.request.path.includes('/operation-executions/')
  return member(exchange, isExecution ? '/data' : '')
}
