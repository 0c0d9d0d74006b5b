/** Sending a message, the older way: the turn itself is that of the current route. */
import { carriedKey } from '../chat/carried-key.ts'
import { beginTurn, type ChatRoute } from '../chat/begin.ts'
import { meetKey } from '../chat/claim.ts'
import { drive, type Steps } from '../chat/drive.ts'
import type { PreparedTurn } from '../chat/prepare.ts'
import { isChatRefusal, refuseChat, type ChatRefusal } from '../chat/refusal.ts'
import { crash, followClient, turnSteps, type TurnRun } from '../chat/run.ts'
import type { TurnRequest, TurnReply } from '../chat/turn.ts'
import { headerValues, type Call } from '../server/call.ts'
import { jsonReply, type ReplyInfo, type HeaderLine, type Reply } from '../server/reply.ts'
import { Crashed } from '../tenant/clock/barriers.ts'
import { createKeyBook } from '../tenant/keys.ts'
import { takeOutage } from '../tenant/outage.ts'
import type { Agent, ApiKey } from '../tenant/principals.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import { enterOlder } from './access.ts'
import { readOlderBody } from './body.ts'
import { appendUtterances } from './books.ts'
import { asOlder, isOlderRefusal, refusedOlder, refuseOlder, type OlderRefusal } from './refusal.ts'
import { finishStream, olderReply, replayedEvents, textPieces, type OlderReply } from './reply.ts'

interface Visit {
  readonly state: TenantState
  readonly call: Call
  readonly headers: readonly HeaderLine[]
  readonly about: ReplyInfo
}

export function olderChat(state: TenantState, call: Call): Reply | Promise<Reply> {
  const { headers, entered } = enterOlder(state, call)
  const visit: Visit = { state, call, headers, about: { operation: 'older-chat' } }
  if (isOlderRefusal(entered)) return refused(visit, entered)
  const asked = ask(visit, entered)
  if (isOlderRefusal(asked)) return refused(visit, asked)
  const { agent, apiKey, key } = asked
  const about: ReplyInfo = {
    ...visit.about,
    agent: agent.name,
    agentId: agent.id,
    account: apiKey.account,
    key,
  }
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

function ask({ state, call }: Visit, apiKey: ApiKey): TurnRequest | OlderRefusal {
  const agent = reach(state, call, apiKey)
  if (isOlderRefusal(agent)) return agent
  if (takeOutage(state.outages, 'request', { agentId: agent.id, apiKey })) return refuseOlder('server_error')
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
  return isChatRefusal(carried) ? asOlder(carried) : carried
}

/** No `await` stands between look and claim, as on the current route. */
function begin(visit: Visit, asked: TurnRequest): Reply | Promise<Reply> {
  const { state } = visit
  const book = asked.key === '' ? createKeyBook() : state.older.keys
  const met = meetKey(state, book, asked)
  if (isChatRefusal(met)) return refused(visit, asOlder(met))
  if (met) {
    const messageId = state.older.messageIds.get(met.record) ?? ''
    return again(visit, asked, { reply: met.reply, agent: asked.agent, messageId })
  }
  return beginTurn(route, visit, book, asked)
}

function again(
  { state: { rules }, headers, about }: Visit,
  asked: TurnRequest,
  turnReply: OlderReply,
): Reply {
  const replay: ReplyInfo = { ...about, replay: true }
  if (!asked.request.stream) return jsonReply(200, { ...olderReply(turnReply, rules) }, replay, headers)
  return { kind: 'stream', status: 200, headers, events: replayedEvents(turnReply, rules), about: replay }
}

const route: ChatRoute<Visit> = {
  turnOf: (_visit, sent) => sent,
  failure: () => refuseChat('SERVER_ERROR'),
  alsoCommit: ({ state }, asked, turn) => remember(state, asked, turn),
  refused: (visit, refusal) => refused(visit, asOlder(refusal)),
  perform,
}

/** The turn, and then its end as it is turnReply here. */
function* steps(
  run: TurnRun,
  messageId: string,
  end: (turnReply: OlderReply) => void,
): Steps<OlderReply | ChatRefusal> {
  const reply = yield* turnSteps(run)
  if (isChatRefusal(reply)) return reply
  const turnReply = { reply, agent: run.asked.agent, messageId }
  end(turnReply)
  return turnReply
}

/** What was said, once the turn is committed. */
function remember(
  state: TenantState,
  { request }: TurnRequest,
  turn: PreparedTurn,
): (reply: TurnReply) => void {
  const askedAt = state.clock.date()
  return ({ response }) =>
    appendUtterances(state.older, turn.conversation, [
      { role: 'user', content: request.message, at: askedAt },
      ...(response === '' ? [] : [{ role: 'assistant', content: response, at: state.clock.date() } as const]),
    ])
}

function perform(visit: Visit, run: TurnRun): Reply | Promise<Reply> {
  const { state, call, headers, about } = visit
  const { rules } = state
  followClient(run, call)
  const { stream } = run.asked.request
  const log = stream ? textPieces(run.log, rules) : null
  const messageId = `msg_${state.random.word(16)}`
  state.older.messageIds.set(run.record, messageId)
  const outcome = drive(
    state,
    steps(run, messageId, (turnReply) => log && finishStream(log, turnReply, rules)),
  )
  if (log) {
    if (outcome instanceof Promise) outcome.catch((reason: Error) => crash(run, reason))
    return { kind: 'stream', status: 200, headers: [...headers, noCache], events: log, about }
  }
  const answer = (turnReply: OlderReply | ChatRefusal): Reply =>
    isChatRefusal(turnReply)
      ? refused(visit, asOlder(turnReply))
      : jsonReply(200, { ...olderReply(turnReply, rules) }, about, headers)
  if (!(outcome instanceof Promise)) return answer(outcome)
  return outcome.then(answer, (reason: Error): Reply => {
    crash(run, reason)
    if (reason instanceof Crashed) return { kind: 'drop', about }
    throw reason
  })
}

const noCache: HeaderLine = ['Cache-Control', 'no-cache']
