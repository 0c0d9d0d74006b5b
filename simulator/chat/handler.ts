/** The chat route: the order in which everything about a request is decided. */
import {
  type Call,
  headerValues,
  type Reply,
  jsonReply,
  type ReplyInfo,
  type EventSource,
  type HeaderLine,
} from '../edge/reply.ts'
import { isRunning, type KeyBook, type TurnRequest, type TurnReply, type ChatBody } from '../tenant/keys.ts'
import { takeOutage, type RateState } from '../tenant/rate.ts'
import type { TenantState } from '../rules/tenant-state.ts'
import { claimKey, giveBack, giveUp, meetKey, type CompletedKey } from './claim.ts'
import {
  prepareTurn,
  putBack,
  type PreparedTurn,
  createRun,
  type TurnRun,
  crash,
  followClient,
  turnSteps,
  drive,
} from './run.ts'
import { isChatRefusal, refuseChat, errorBody, type ChatRefusal } from '../edge/refusal.ts'
import { Crashed } from '../clock/barriers.ts'
import { finishedLog, doneEvent, finalFields } from './event-log.ts'
import type { Agent, ApiKey } from '../tenant/principals.ts'
import { parseBody, readChatBody, tooLargeWords, carriedKey } from './body.ts'
import type { ChatTenant, PermissionRule } from '../rules/chat.ts'

/** `apiKeys`: those that count, by token. */
export function authenticate(
  state: ChatTenant,
  call: Call,
  apiKeys: ReadonlyMap<string, ApiKey> = state.apiKeys,
): ApiKey | ChatRefusal {
  const [authorization, second] = headerValues(call, 'authorization')
  if (authorization === undefined)
    return refuseChat('INVALID_API_KEY', 'Send an API key: Authorization: Bearer <key>.')
  if (second !== undefined)
    return refuseChat('INVALID_API_KEY', 'Send one Authorization header, not several.')
  const token = state.rules.bearer(authorization)
  const apiKey = token === null ? undefined : apiKeys.get(token)
  return apiKey && state.rules.isValid(apiKey) ? apiKey : refuseChat('INVALID_API_KEY')
}

export const permissions = [
  {
    name: 'chat-scope',
    objects: (apiKey) => (apiKey.scopes.includes('chat') ? null : 'MISSING_SCOPE'),
  },
  {
    name: 'agent-exists',
    objects: (_apiKey, agent) => (agent ? null : 'AGENT_NOT_FOUND'),
  },
  {
    name: 'agent-of-account',
    objects: (apiKey, agent, rules) =>
      !agent || agent.accounts.includes(apiKey.account) ? null : rules.foreignAgent,
  },
  {
    name: 'agent-scope',
    objects: (apiKey, agent) =>
      !agent || apiKey.agent === null || apiKey.agent === agent.id ? null : 'AGENT_OUT_OF_SCOPE',
  },
  {
    name: 'plan',
    objects: (_apiKey, agent) => (!agent || agent.allowed ? null : 'PLAN_RESTRICTED'),
  },
] as const satisfies readonly PermissionRule[]

/** Where nobody is known to be counted. */
export function uncounted({ rules, clock }: ChatTenant): RateState {
  const now = clock.now()
  return { limit: rules.rate.limit, remaining: rules.rate.limit, retryAfterMs: 0, resetAt: now, now }
}

/** Counts the request where every request counts; `refusal` when there is none left. */
function admitTurn(tenantState: ChatTenant, apiKey: ApiKey): { state: RateState; refusal?: ChatRefusal } {
  const { rules, rates, clock } = tenantState
  const subject = rules.rateSubject(apiKey)
  const now = clock.now()
  const state = rates.look(subject, rules.rate, now)
  if (state.retryAfterMs > 0)
    return { state, refusal: refuseChat('RATE_LIMITED', undefined, rules.rateBody(state)) }
  return { state: rules.rateCounts === 'all' ? rates.spend(subject, rules.rate, now) : state }
}

/** Counts a request that reached a turn, where only those count. */
function countTurn({ rules, rates, clock }: ChatTenant, apiKey: ApiKey): void {
  if (rules.rateCounts === 'turns') rates.spend(rules.rateSubject(apiKey), rules.rate, clock.now())
}

/** One call on its way through the handler; headers and `about` grow as more is known. */
export interface ChatVisit {
  readonly state: TenantState
  readonly call: Call
  headers: readonly HeaderLine[]
  about: ReplyInfo
}

function refusedReply({ state, call, headers, about }: ChatVisit, refusal: ChatRefusal): Reply {
  if (call.turn) call.turn.code = refusal.refused
  const body = errorBody(refusal, state.rules)
  return jsonReply(refusal.status, body, { ...about, code: refusal.refused }, headers)
}

function stream({ headers }: ChatVisit, events: EventSource, about: ReplyInfo): Reply {
  return { kind: 'stream', status: 200, headers: [...headers, ['Cache-Control', 'no-cache']], events, about }
}

/** Runs a turn and answers in the form that was asked for. */
function perform(visit: ChatVisit, run: TurnRun): Reply | Promise<Reply> {
  followClient(run, visit.call)
  const outcome = drive(visit.state, turnSteps(run))
  const about: ReplyInfo = run.plan.stored ? { ...visit.about, paused: true } : visit.about
  if (!run.asked.request.stream) return replyOf(visit, run, about, outcome)
  if (outcome instanceof Promise) outcome.catch((reason: Error) => crash(run, reason))
  return stream(visit, run.log, about)
}

function replyOf(
  visit: ChatVisit,
  run: TurnRun,
  about: ReplyInfo,
  outcome: ReturnType<typeof drive<TurnReply | ChatRefusal>>,
): Reply | Promise<Reply> {
  const finish = (result: TurnReply | ChatRefusal): Reply => {
    if (isChatRefusal(result)) return refusedReply(visit, result)
    const whole = { ...about, duplicates: run.record.duplicates }
    return jsonReply(200, finalFields(result, visit.state.rules), whole, visit.headers)
  }
  if (!(outcome instanceof Promise)) return finish(outcome)
  return outcome.then(finish, (reason: Error): Reply => {
    crash(run, reason)
    if (reason instanceof Crashed) return { kind: 'drop', about }
    throw reason
  })
}

/** Answers from the record of a completed key. */
function replayedReply(
  visit: ChatVisit,
  book: KeyBook,
  asked: TurnRequest,
  { record, reply: original }: CompletedKey,
): Reply {
  const { rules, accounts } = visit.state
  const account = accounts.get(asked.apiKey.account)
  const debit = rules.replayDebit(original, record)
  if (account) account.balance -= debit
  const reply = rules.replayReply(original, account?.balance ?? 0, record)
  Object.assign(visit.call.turn ?? {}, { is: 'replay', charged: debit })
  const about: ReplyInfo = {
    ...visit.about,
    replay: true,
    original: record.streamed ? 'stream' : 'json',
    replays: record.replays,
    duplicates: record.duplicates,
    ...(original.customerMessage && { paused: true }),
  }
  book.count(record, 'replays')
  const answered: ChatVisit = { ...visit, headers: [...visit.headers, ...rules.replayHeaders] }
  if (!rules.replayAsStream(asked.request.stream, record.streamed))
    return jsonReply(200, finalFields(reply, rules), about, answered.headers)
  const events = record.state.is === 'completed' ? record.state.events : []
  return stream(answered, finishedLog(rules.replayEvents(record, doneEvent(reply, rules), events)), about)
}

export function handleChat(state: TenantState, call: Call): Reply | Promise<Reply> {
  const { rules } = state
  const visit: ChatVisit = { state, call, headers: [], about: { operation: 'chat' } }

  const apiKey = authenticate(state, call)
  if (isChatRefusal(apiKey)) {
    visit.headers = rules.rateHeaders(uncounted(state))
    return refusedReply(visit, apiKey)
  }

  const rate = admitTurn(state, apiKey)
  visit.headers = rules.rateHeaders(rate.state)
  if (rate.refusal) return refusedReply(visit, rate.refusal)

  const agentId = call.params['agentId'] ?? ''
  if (takeOutage(state.outages, 'request', { agentId, apiKey }))
    return refusedReply(visit, refuseChat('UNAVAILABLE'))

  const asked = ask(state, call, apiKey)
  if (isChatRefusal(asked)) return refusedReply(visit, asked)
  visit.about = aboutAsked(asked)

  // Before pause, staleness and credits: a completed turn is replayed whatever has changed since.
  const book = rules.book(state, call)
  const met = meetKey(state, book, asked)
  if (isChatRefusal(met)) return refusedReply(visit, met)
  if (met) return replayedReply(visit, book, asked, met)

  if (rules.claimGapMs === 0) return beginTurn(visit, book, asked)
  return state.clock.sleep(rules.claimGapMs, { label: 'claim gap' }).then(() => beginTurn(visit, book, asked))
}

type AlsoCommit = (turn: PreparedTurn) => TurnRun['alsoCommit']

/**
 * Claims a free key and runs its turn; where it does not come to that, the key is given back. No `await` stands between
 * claim and run: the key is taken before anybody else can look.
 */
export function beginTurn(
  visit: ChatVisit,
  book: KeyBook,
  sent: TurnRequest,
  alsoCommit?: AlsoCommit,
): Reply | Promise<Reply> {
  const { state } = visit
  const record = claimKey(state, book, sent)
  try {
    const asked = state.rules.turnOf(sent, state)
    if (visit.about.operation === 'chat') countTurn(state, asked.apiKey)
    const turn = prepareTurn(state, asked)
    if (isChatRefusal(turn)) {
      giveBack(state, book, record, turn)
      return refusedReply(visit, turn)
    }
    const outage = takeOutage(state.outages, 'turn', { agentId: asked.agent.id, apiKey: asked.apiKey })
    if (!outage) return perform(visit, createRun(visit, asked, book, record, turn, alsoCommit?.(turn)))
    const failure = refuseChat(outage.status === 500 ? 'SERVER_ERROR' : 'UNAVAILABLE')
    putBack(state, turn)
    giveUp(state, book, record, failure)
    return refusedReply(visit, failure)
  } catch (defect) {
    // A defect of ours, or of a rule, before the turn ran: nothing of it remains. What ran meanwhile stays uncertain.
    if (isRunning(record)) book.release(record)
    throw defect
  }
}

function aboutAsked({ agent, apiKey, key, request }: TurnRequest): ChatVisit['about'] {
  return {
    operation: 'chat',
    agent: agent.name,
    agentId: agent.id,
    account: apiKey.account,
    key,
    ...(request.interaction && { interaction: true }),
  }
}

function reach({ agents, rules }: TenantState, call: Call, apiKey: ApiKey): Agent | ChatRefusal {
  const agent = agents.get(call.params['agentId'] ?? '')
  const code = rules.permissions
    .values()
    .map((rule) => rule.objects(apiKey, agent, rules))
    .find((said) => said !== null)
  if (code !== undefined) return refuseChat(code)
  // Only a fault lets a call through to an agent that is not there.
  return agent ?? [...agents.values()][0] ?? refuseChat('AGENT_NOT_FOUND')
}

function read({ rules }: TenantState, call: Call): { request: ChatBody; key: string } | ChatRefusal {
  if (call.tooLarge) return refuseChat('INVALID_BODY', tooLargeWords(rules))
  if (!rules.acceptsContentType(headerValues(call, 'content-type')[0] ?? null))
    return refuseChat('INVALID_BODY', 'Send the body with Content-Type: application/json.')
  const parsed = parseBody(call.body)
  if (isChatRefusal(parsed)) return parsed
  const request = readChatBody(parsed, rules)
  if (isChatRefusal(request)) return request
  const carried = carriedKey(call, parsed.body, rules)
  return isChatRefusal(carried) ? carried : { request, key: carried.key }
}

function ask(state: TenantState, call: Call, apiKey: ApiKey): TurnRequest | ChatRefusal {
  const bodyFirst = state.rules.order === 'body-first' ? read(state, call) : null
  if (isChatRefusal(bodyFirst)) return bodyFirst
  const agent = reach(state, call, apiKey)
  if (isChatRefusal(agent)) return agent
  const body = bodyFirst ?? read(state, call)
  return isChatRefusal(body) ? body : { apiKey, agent, request: body.request, key: body.key }
}
