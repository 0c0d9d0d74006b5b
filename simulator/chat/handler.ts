/** The chat route: the order in which everything about a request is decided. */
import type { Call } from '../server/call.ts'
import type { Reply } from '../server/reply.ts'
import { takeOutage } from '../tenant/outage.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import { admitTurn, authenticate, countTurn, uncounted } from './access.ts'
import { perform, refusedReply, replayedReply, type ChatVisit } from './answer.ts'
import { ask } from './ask.ts'
import { beginTurn, type ChatRoute } from './begin.ts'
import { meetKey } from './claim.ts'
import { isChatRefusal, refuseChat } from './refusal.ts'
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

  if (rules.claimGapMs === 0) return beginTurn(route, visit, book, asked)
  return state.clock
    .sleep(rules.claimGapMs, { label: 'claim gap' })
    .then(() => beginTurn(route, visit, book, asked))
}

const route: ChatRoute<ChatVisit> = {
  turnOf: ({ state }, sent) => {
    const asked = state.rules.turnOf(sent, state)
    countTurn(state, asked.apiKey)
    return asked
  },
  failure: ({ status }) => refuseChat(status === 500 ? 'SERVER_ERROR' : 'UNAVAILABLE'),
  refused: refusedReply,
  perform,
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
