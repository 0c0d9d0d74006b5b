/** One turn, from its first token to its commit. It goes its way whether or not its client still listens. */
import {
  conversationKey,
  type Conversation,
  type Offer,
  available,
  type Account,
  type Credits,
} from '../tenant/conversations.ts'
import type { Call, StreamEvent, TurnRecord } from '../edge/reply.ts'
import { Crashed, type BarrierPoint } from '../clock/barriers.ts'
import {
  isRunning,
  type KeyBook,
  type KeyRecord,
  inOnePiece,
  type TurnRequest,
  type TurnReply,
} from '../tenant/keys.ts'
import type { TenantState } from '../rules/tenant-state.ts'
import { giveUp } from './claim.ts'
import { EventLog, doneEvent } from './event-log.ts'
import { quotedMessage, plannedTokens, type TurnPlan, turnPlanOf, storedPlan, replyFor } from './plan.ts'
import { refuseChat, type ChatRefusal, isChatRefusal } from '../edge/refusal.ts'
import { presentButtons, offerOf, refuseButton } from '../rules/chat.ts'
import { isObject, type JsonObject } from '../json.ts'
import { remembered } from '../tenant/book.ts'

/** Steps of a turn: each may have to be waited for. */
type Steps<T> = Generator<Promise<void> | undefined, T, undefined>

/** Turns of a tenant that can be ended together. */
interface Running {
  turns: number
  ended: Error | null
}
const running = new WeakMap<TenantState, Running>()

/** Turns of a tenant that go on now, whether or not a client listens. */
export const turnsOf = (state: TenantState): number => running.get(state)?.turns ?? 0

/** Ends those that go on now: each fails with `reason` instead of its next step. */
export function endTurns(state: TenantState, reason: Error): void {
  const turns = running.get(state)
  if (turns) turns.ended = reason
  running.delete(state)
}

/** Runs the steps of a turn to their end; without a promise where none of them had to be waited for. Never throws. */
export function drive<T>(state: TenantState, steps: Steps<T>): T | Promise<T> {
  try {
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value
      if (!step.value) continue
      const among = remembered(running, state, () => ({ turns: 0, ended: null }))
      return continued(among, steps, step.value)
    }
  } catch (defect) {
    return Promise.reject(defect)
  }
}

/** Waits for `first`, then runs the other steps, with a promise for none but those that have to be waited for. */
function continued<T>(among: Running, steps: Steps<T>, first: Promise<void>): Promise<T> {
  among.turns++
  return new Promise((resolve, reject) => {
    const fail = (reason: unknown): void => {
      among.turns--
      reject(reason)
    }
    const goOn = (): void => {
      if (among.ended) return fail(among.ended)
      try {
        let step = steps.next()
        while (!step.done && !step.value) step = steps.next()
        if (!step.done) return void step.value?.then(goOn, fail)
        among.turns--
        resolve(step.value)
      } catch (defect) {
        fail(defect)
      }
    }
    first.then(goOn, fail)
  })
}

export interface TurnRun {
  readonly turn: PreparedTurn
  readonly plan: TurnPlan
  readonly state: TenantState
  readonly asked: TurnRequest
  readonly book: KeyBook
  readonly record: KeyRecord
  readonly log: EventLog
  readonly isLogged: boolean
  readonly outcome: TurnRecord
  /** Done with the commit, so that what somebody else remembers of the turn changes together with it. */
  readonly alsoCommit: (reply: TurnReply) => void
  /** `over`: committed, failed, crashed or abandoned; nothing more happens to credits or key. */
  phase: 'running' | 'over'
}

export function createRun(
  { state, call }: { readonly state: TenantState; readonly call: Call },
  asked: TurnRequest,
  book: KeyBook,
  record: KeyRecord,
  turn: PreparedTurn,
  alsoCommit: TurnRun['alsoCommit'] = () => undefined,
): TurnRun {
  const isLogged = asked.request.stream || state.rules.remembersEvents
  const { plan } = turn
  const log = new EventLog()
  const outcome = Object.assign(call.turn ?? { is: 'none' as const, code: '' }, { charged: null })
  return { turn, plan, state, asked, book, record, log, isLogged, outcome, alsoCommit, phase: 'running' }
}

/** The turn step by step. Ends with the reply, or with what it failed of. */
export function* turnSteps(run: TurnRun): Steps<TurnReply | ChatRefusal> {
  const { plan, log, outcome } = run
  // No turn is over in an instant: what comes at the same time meets it in flight.
  yield run.state.clock.yield()
  yield pass(run, 'before-run')
  outcome.is = plan.stored ? 'stored-while-paused' : 'run'
  yield takeTime(run, plan.delayMs + run.state.rules.workMs)
  for (const event of plan.opening) log.push(event)
  if (tokensCount(run)) yield* speak(run)
  if (plan.error) return fail(run, plan.error.text)
  yield pass(run, 'before-commit')
  const reply = commit(run)
  yield pass(run, 'after-commit')
  // A stream ends only once the commit is stored. A JSON reply waits when it is sent.
  if (run.asked.request.stream) yield run.state.changes.settled()
  if (run.isLogged) log.push(doneEvent(reply, run.state.rules))
  log.end()
  return reply
}

/** Whether anything comes of single tokens: somebody may see them, or they take time. */
function tokensCount({ plan, isLogged, state }: TurnRun): boolean {
  return isLogged || plan.tokenDelayMs > 0 || state.barriers.any
}

function* speak(run: TurnRun): Steps<void> {
  const { plan, log, state } = run
  let sent = 0
  // A token that came late does not delay those that follow.
  let due = state.clock.now()
  for (const token of plannedTokens(plan)) {
    if (sent === plan.error?.afterTokens) return
    if (plan.tokenDelayMs > 0) yield takeTime(run, (due += plan.tokenDelayMs) - state.clock.now())
    log.push({ type: 'token', token })
    sent++
    if (!state.barriers.any) continue
    yield pass(run, `after-token:${sent}`)
    due = state.clock.now()
  }
}

const takeTime = ({ state }: TurnRun, ms: number): Promise<void> | undefined =>
  ms > 0 ? state.clock.sleep(ms, { label: 'turn' }) : undefined

function pass({ state, asked }: TurnRun, point: BarrierPoint): Promise<void> | undefined {
  if (!state.barriers.any) return undefined
  return state.barriers.pass(point, { agent: asked.agent.id, key: asked.key })
}

/** Ends the turn once. False: it was over already. */
function conclude(run: TurnRun): boolean {
  if (run.phase === 'over') return false
  run.phase = 'over'
  run.outcome.charged = 0
  return true
}

/** Reply, credits, conversation and key change together. */
function commit(run: TurnRun): TurnReply {
  const { state, asked, record, plan } = run
  const { account, atStart, conversation, cost } = run.turn
  const { rules } = state
  const live = conclude(run)
  if (live) account.reserved -= cost
  const presentation =
    live && plan.presentation ? presentButtons(state, conversation, plan.presentation) : null
  if (live) {
    const debit = rules.debit(cost, record)
    const now = account.balance
    account.balance = rules.balanceAfter({ atStart, now, debit })
    run.outcome.charged = now - account.balance
    conversation.turns++
    conversation.presses = asked.request.interaction ? conversation.presses + 1 : 0
    if (rules.threadKeeps(asked)) conversation.said = quotedMessage(asked.request.message)
    state.conversations.set(inOnePiece(conversationKey(conversation)), conversation)
  }
  const reply: TurnReply = {
    response: plan.response,
    conversation: conversation.id,
    used: cost,
    remaining: rules.remaining(account.balance, cost),
    presentation,
    customerMessage: plan.stored ? rules.customerMessage(rules.pausedMark, state.random.uuid()) : null,
  }
  if (live) {
    complete(run, reply)
    run.alsoCommit(reply)
    emitTurn(state, asked, plan, reply)
  }
  return reply
}

/** One for all: very many keys are remembered without their events. */
const noEvents: readonly StreamEvent[] = []

function complete({ state, book, record, log }: TurnRun, reply: TurnReply): void {
  const { finishLagMs, remembersEvents } = state.rules
  const settle = (): void => {
    const events = remembersEvents ? log.events.slice() : noEvents
    book.settle(record, { is: 'completed', reply, events })
  }
  if (finishLagMs > 0) state.clock.after(finishLagMs, 'finish lag', settle)
  else settle()
}

function fail(run: TurnRun, text: string): ChatRefusal {
  const refusal = refuseChat('SERVER_ERROR', text)
  if (conclude(run)) {
    putBack(run.state, run.turn)
    giveUp(run.state, run.book, run.record, run.asked.request.stream ? null : refusal)
  }
  run.log.push({ type: 'error', error: text })
  run.log.end()
  return refusal
}

/** The turn died: what it did is not known, and nothing is charged. A turn that had committed stays so. */
export function crash(run: TurnRun, reason: Error): void {
  if (conclude(run)) {
    putBack(run.state, run.turn)
    run.book.settle(run.record, { is: 'uncertain' })
  } else if (isRunning(run.record) && !(reason instanceof Crashed)) {
    // It died in the middle of its commit.
    run.book.settle(run.record, { is: 'uncertain' })
  }
  run.log.end(reason)
}

/** Watches the client, under the interpretations where its going away matters. */
export function followClient(run: TurnRun, call: Call): void {
  const { clientGone } = run.state.rules
  if (clientGone === 'finishes') return
  call.client.watch(() => {
    // The turn itself goes on: what makes this a fault is that nobody will know of it.
    if (clientGone === 'forgotten') return run.book.release(run.record)
    if (!conclude(run)) return
    putBack(run.state, run.turn)
    run.book.settle(run.record, { is: 'uncertain' })
  })
}

function emitTurn(state: TenantState, asked: TurnRequest, plan: TurnPlan, reply: TurnReply): void {
  const { rules, clock, outbox, webhooks } = state
  // Where nobody listens, not even a payload is made.
  if (!rules.turnsEmit || plan.stored || webhooks.size === 0) return
  const conversationId = reply.conversation
  const agent = asked.agent.id
  const emit = (event: string, members: JsonObject = {}, given?: JsonObject): void => {
    if (!rules.reports(event, asked)) return
    const payload = given ?? rules.payload(event, state, { conversationId, members })
    outbox.emit({ event, agent, at: clock.date(), payload, test: false })
  }
  for (const actionName of plan.executed) emit('tool.executed', { actionName })
  if (reply.response !== '') emit('message.sent', { text: reply.response })
  for (const row of plan.events)
    if (typeof row === 'string') emit(row)
    else emit(row.event, {}, isObject(row.payload) ? row.payload : undefined)
}

/** A turn that may run; its cost is held on the account. */
export interface PreparedTurn {
  readonly account: Account
  /** Balance when the turn began. */
  readonly atStart: Credits
  readonly cost: Credits
  readonly conversation: Conversation
  readonly plan: TurnPlan
  /** The presentation whose button was pressed; 0 when none was. */
  readonly pressed: number
}

function refuseInteraction(
  state: TenantState,
  { agent, request }: TurnRequest,
  offer: Offer | undefined,
): ChatRefusal | null {
  if (request.interaction === null) return null
  const paused = agent.paused ? refuseChat('AI_REPLY_PAUSED') : null
  const stale = refuseButton(state, offer)
  return state.rules.pausedBeforeStale ? (paused ?? stale) : (stale ?? paused)
}

function converse(
  state: TenantState,
  asked: TurnRequest,
  offer: Offer | undefined,
): Conversation | ChatRefusal {
  if (offer) return offer.conversation
  const { apiKey, agent, request } = asked
  const given = request.conversationId
  const place = { account: apiKey.account, agent: agent.id, id: given ?? '' }
  const found = given === null ? undefined : state.conversations.get(conversationKey(place))
  if (found) return found
  if (given !== null && state.rules.unknownConversation === 'refuse')
    return refuseChat(
      'INVALID_BODY',
      `There is no conversation ${given} here; omit conversation_id to start one.`,
    )
  return { ...place, id: given ?? state.random.uuid(), turns: 0, presses: 0, current: 0 }
}

function planFor(state: TenantState, { agent, request }: TurnRequest, conversation: Conversation): TurnPlan {
  if (agent.paused) return storedPlan
  const { message } = request
  const pressed = request.interaction ? conversation.presses + 1 : 0
  const occasion = { agent, message, nth: conversation.turns + 1, pressed }
  return turnPlanOf(replyFor(state.replyRules, occasion), message, conversation.said)
}

export function prepareTurn(state: TenantState, asked: TurnRequest): PreparedTurn | ChatRefusal {
  const { rules } = state
  const offer = offerOf(state, asked)
  const conversation = refuseInteraction(state, asked, offer) ?? converse(state, asked, offer)
  if (isChatRefusal(conversation)) return conversation
  const plan = planFor(state, asked, conversation)
  const free = plan.stored && rules.pausedCost === 'free'
  const cost = free ? 0 : rules.cost({ asked, response: plan.response, given: plan.given })
  const account = state.accounts.get(asked.apiKey.account)
  if (!account) return refuseChat('SERVER_ERROR', `There is no account ${asked.apiKey.account}.`)
  const left = available(account)
  if (!free && !rules.covers(left, cost))
    return refuseChat('INSUFFICIENT_CREDITS', undefined, rules.shortage(cost, left))
  account.reserved += cost
  // A pressed button is used up at once: a second press cannot start a second turn.
  if (offer) {
    conversation.current = 0
    state.conversations.touch(conversationKey(conversation))
  }
  return { account, atStart: account.balance, cost, conversation, plan, pressed: offer?.presentation ?? 0 }
}

/** A prepared turn that came to nothing: what it held is free, and its button can be pressed again. */
export function putBack(
  { conversations }: TenantState,
  { account, cost, conversation, pressed }: PreparedTurn,
): void {
  account.reserved -= cost
  if (pressed === 0 || conversation.current !== 0) return
  conversation.current = pressed
  conversations.touch(conversationKey(conversation))
}
