/** The chat route: the order in which everything about a request is decided. */
import type { Call } from '../server/call.ts'
import type { Reply } from '../server/reply.ts'
import type { KeyBook } from '../tenant/keys.ts'
import { takeOutage } from '../tenant/outage.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import { admitTurn, authenticate, countTurn, uncounted } from './access.ts'
import { perform, refusedReply, replayedReply, type ChatVisit } from './answer.ts'
import { ask } from './ask.ts'
import { claimKey, giveBack, giveBackUnrun, giveUp, meetKey } from './claim.ts'
import { prepareTurn, putBack, type PreparedTurn } from './prepare.ts'
import { isChatRefusal, refuseChat } from './refusal.ts'
import { createRun, type TurnRun } from './run.ts'
import type { TurnRequest } from './turn.ts'

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
  if (met) return replayedReply(visit, asked, met)

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
    if (!outage) return perform(visit, createRun(state, asked, book, record, turn, alsoCommit?.(turn)))
    const failure = refuseChat(outage.status === 500 ? 'SERVER_ERROR' : 'UNAVAILABLE')
    putBack(state, turn)
    giveUp(state, book, record, failure)
    return refusedReply(visit, failure)
  } catch (defect) {
    giveBackUnrun(book, record)
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
