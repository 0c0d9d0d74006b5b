/** Sending a message, the older way: the turn itself is that of the current route. */
import { carriedKey } from '../chat/carried-key.ts'
import { claimKey, giveBack, giveUp, meetKey } from '../chat/claim.ts'
import { drive, type Steps } from '../chat/drive.ts'
import { prepare, putBack, type Prepared } from '../chat/prepare.ts'
import { isRefusal, refuse, type Refusal } from '../chat/refusal.ts'
import { crash, createRun, followClient, turnSteps, type Run } from '../chat/run.ts'
import type { Asked, ChatReply } from '../chat/turn.ts'
import { headerValues, type Call } from '../server/call.ts'
import { json, type About, type Header, type Reply } from '../server/reply.ts'
import { Crashed } from '../tenant/clock/barriers.ts'
import { createKeyBook, type KeyBook } from '../tenant/keys.ts'
import { takeOutage } from '../tenant/outage.ts'
import type { Agent, ApiKey } from '../tenant/principals.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import { enter } from './access.ts'
import { readOlderBody } from './body.ts'
import { write } from './books.ts'
import { asOlder, isOlderRefusal, refusedOlder, refuseOlder, type OlderRefusal } from './refusal.ts'
import { finish, olderReply, retold, texts, type OlderReply } from './reply.ts'

interface Visit {
  readonly state: TenantState
  readonly call: Call
  readonly headers: readonly Header[]
  readonly about: About
}

export function olderChat(state: TenantState, call: Call): Reply | Promise<Reply> {
  const { headers, entered } = enter(state, call)
  const visit: Visit = { state, call, headers, about: { operation: 'older-chat' } }
  if (isOlderRefusal(entered)) return refused(visit, entered)
  const asked = ask(visit, entered)
  if (isOlderRefusal(asked)) return refused(visit, asked)
  const { agent, apiKey, key } = asked
  const about: About = { ...visit.about, agent: agent.name, agentId: agent.id, account: apiKey.account, key }
  return begin({ ...visit, about }, asked)
}

function refused({ state, about, headers }: Visit, refusal: OlderRefusal): Reply {
  return refusedOlder(state, refusal, about, headers)
}

function reach({ agents, rules }: TenantState, call: Call, apiKey: ApiKey): Agent | OlderRefusal {
  const agent = agents.get(call.params['agent_id'] ?? '')
  if (!agent?.accounts.includes(apiKey.account)) return refuseOlder('not_found')
  if (!rules.olderKeyFits(apiKey, agent))
    return refuseOlder('forbidden', 'The key was made for another agent.')
  return agent.allowed ? agent : refuseOlder('forbidden', 'The plan does not allow this agent.')
}

function ask({ state, call }: Visit, apiKey: ApiKey): Asked | OlderRefusal {
  const agent = reach(state, call, apiKey)
  if (isOlderRefusal(agent)) return agent
  if (takeOutage(state.outages, 'door', { agentId: agent.id, apiKey })) return refuseOlder('server_error')
  const request = readOlderBody(state, call)
  if (isOlderRefusal(request)) return request
  const key = keyOf(state, call)
  return isOlderRefusal(key) ? key : { apiKey, agent, request, key: key.key }
}

/** Where keys are not looked at, and where none came, a turn has an empty one. */
function keyOf({ rules }: TenantState, call: Call): { key: string } | OlderRefusal {
  const names = ['idempotency-key', 'x-idempotency-key']
  if (!rules.olderTakesKeys || !names.some((name) => headerValues(call, name).length > 0)) return { key: '' }
  const carried = carriedKey(call, {}, rules)
  return isRefusal(carried) ? asOlder(carried) : carried
}

/** No `await` stands between look and claim, as on the current route. */
function begin(visit: Visit, asked: Asked): Reply | Promise<Reply> {
  const { state } = visit
  const book = asked.key === '' ? createKeyBook() : state.older.keys
  const met = meetKey(state, book, asked)
  if (isRefusal(met)) return refused(visit, asOlder(met))
  if (met) {
    const messageId = state.older.messageIds.get(met.record) ?? ''
    return again(visit, asked, { reply: met.reply, agent: asked.agent, messageId })
  }
  return run(visit, asked, book)
}

function again({ state: { rules }, headers, about }: Visit, asked: Asked, told: OlderReply): Reply {
  const replay: About = { ...about, replay: true }
  if (!asked.request.stream) return json(200, { ...olderReply(told, rules) }, replay, headers)
  return { kind: 'stream', status: 200, headers, events: retold(told, rules), about: replay }
}

function run(visit: Visit, asked: Asked, book: KeyBook): Reply | Promise<Reply> {
  const { state } = visit
  const record = claimKey(state, book, asked)
  const turn = prepare(state, asked)
  if (isRefusal(turn)) {
    giveBack(state, book, record, turn)
    return refused(visit, asOlder(turn))
  }
  if (takeOutage(state.outages, 'turn', { agentId: asked.agent.id, apiKey: asked.apiKey })) {
    putBack(state, turn)
    giveUp(state, book, record, refuse('SERVER_ERROR'))
    return refused(visit, refuseOlder('server_error'))
  }
  return perform(visit, createRun(state, asked, book, record, turn, remember(state, asked, turn)))
}

/** The turn, and then its end as it is told here. */
function* steps(run: Run, messageId: string, end: (told: OlderReply) => void): Steps<OlderReply | Refusal> {
  const reply = yield* turnSteps(run)
  if (isRefusal(reply)) return reply
  const told = { reply, agent: run.asked.agent, messageId }
  end(told)
  return told
}

/** What was said, once the turn is committed. */
function remember(state: TenantState, { request }: Asked, turn: Prepared): (reply: ChatReply) => void {
  const askedAt = state.clock.date()
  return ({ response }) =>
    write(state.older, turn.conversation, [
      { role: 'user', content: request.message, at: askedAt },
      ...(response === '' ? [] : [{ role: 'assistant', content: response, at: state.clock.date() } as const]),
    ])
}

function perform(visit: Visit, run: Run): Reply | Promise<Reply> {
  const { state, call, headers, about } = visit
  const { rules } = state
  followClient(run, call)
  const { stream } = run.asked.request
  const log = stream ? texts(run.log, rules) : null
  const messageId = `msg_${state.random.word(16)}`
  state.older.messageIds.set(run.record, messageId)
  const outcome = drive(
    state,
    steps(run, messageId, (told) => log && finish(log, told, rules)),
  )
  if (log) {
    if (outcome instanceof Promise) outcome.catch((reason: Error) => crash(run, reason))
    return { kind: 'stream', status: 200, headers: [...headers, noCache], events: log, about }
  }
  const answer = (told: OlderReply | Refusal): Reply =>
    isRefusal(told)
      ? refused(visit, asOlder(told))
      : json(200, { ...olderReply(told, rules) }, about, headers)
  if (!(outcome instanceof Promise)) return answer(outcome)
  return outcome.then(answer, (reason: Error): Reply => {
    crash(run, reason)
    if (reason instanceof Crashed) return { kind: 'drop', about }
    throw reason
  })
}

const noCache: Header = ['Cache-Control', 'no-cache']
