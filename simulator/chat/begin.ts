/** From a free key to its turn, on either chat route. */
import type { Reply } from '../server/reply.ts'
import type { KeyBook } from '../tenant/keys.ts'
import { takeOutage, type Outage } from '../tenant/outage.ts'
import type { TenantState } from '../tenant/tenant-state.ts'
import { claimKey, giveBack, giveBackUnrun, giveUp } from './claim.ts'
import { prepareTurn, putBack, type PreparedTurn } from './prepare.ts'
import { isChatRefusal, type ChatRefusal } from './refusal.ts'
import { createRun, type TurnRun } from './run.ts'
import type { TurnRequest } from './turn.ts'

interface Visit {
  readonly state: TenantState
}

/** What the routes differ in. */
export interface ChatRoute<V extends Visit> {
  /** The request as its turn sees it; called once its key is claimed. */
  turnOf(visit: V, sent: TurnRequest): TurnRequest
  /** What a turn that meets an outage fails of. */
  failure(outage: Outage): ChatRefusal
  alsoCommit?(visit: V, asked: TurnRequest, turn: PreparedTurn): TurnRun['alsoCommit']
  refused(visit: V, refusal: ChatRefusal): Reply
  perform(visit: V, run: TurnRun): Reply | Promise<Reply>
}

/**
 * Claims the key and runs the turn; where it does not come to that, the key is given back. No `await` stands between
 * claim and run: the key is taken before anybody else can look.
 */
export function beginTurn<V extends Visit>(
  route: ChatRoute<V>,
  visit: V,
  book: KeyBook,
  sent: TurnRequest,
): Reply | Promise<Reply> {
  const { state } = visit
  const record = claimKey(state, book, sent)
  try {
    const asked = route.turnOf(visit, sent)
    const turn = prepareTurn(state, asked)
    if (isChatRefusal(turn)) {
      giveBack(state, book, record, turn)
      return route.refused(visit, turn)
    }
    const outage = takeOutage(state.outages, 'turn', { agentId: asked.agent.id, apiKey: asked.apiKey })
    if (!outage) {
      const alsoCommit = route.alsoCommit?.(visit, asked, turn)
      return route.perform(visit, createRun(state, asked, book, record, turn, alsoCommit))
    }
    const failure = route.failure(outage)
    putBack(state, turn)
    giveUp(state, book, record, failure)
    return route.refused(visit, failure)
  } catch (defect) {
    giveBackUnrun(book, record)
    throw defect
  }
}
