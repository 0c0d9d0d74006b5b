/** The chat route: the order in which everything about a request is decided. */
import type { Call } from '../http/call.ts'
import type { Reply } from '../http/reply.ts'
import type { KeyBook } from '../world/keys.ts'
import { takeOutage } from '../world/outage.ts'
import type { World } from '../world/world.ts'
import { admit, authenticate, countTurn, uncounted } from './access.ts'
import { perform, refused, replay, type Visit } from './answer.ts'
import { ask } from './ask.ts'
import { claimKey, giveBack, giveUp, meetKey } from './claim.ts'
import { prepare, putBack } from './prepare.ts'
import { isRefusal, refuse } from './refusal.ts'
import { createRun } from './run.ts'
import type { Asked } from './turn.ts'

export function chat(world: World, call: Call): Reply | Promise<Reply> {
  const { rules } = world
  const visit: Visit = { world, call, headers: [], about: { operation: 'chat' } }

  const apiKey = authenticate(world, call)
  if (isRefusal(apiKey)) {
    visit.headers = rules.rateHeaders(uncounted(world))
    return refused(visit, apiKey)
  }

  const rate = admit(world, apiKey)
  visit.headers = rules.rateHeaders(rate.state)
  if (rate.refusal) return refused(visit, rate.refusal)

  const agentId = call.params['agentId'] ?? ''
  if (takeOutage(world.outages, 'door', { agentId, apiKey })) return refused(visit, refuse('UNAVAILABLE'))

  const asked = ask(world, call, apiKey)
  if (isRefusal(asked)) return refused(visit, asked)
  visit.about = aboutAsked(asked)

  // Before pause, staleness and credits: a completed turn is replayed whatever has changed since.
  const book = rules.book(world, call)
  const met = meetKey(world, book, asked)
  if (isRefusal(met)) return refused(visit, met)
  if (met) return replay(visit, asked, met)

  if (rules.claimGapMs === 0) return begin(visit, asked, book)
  return world.clock.sleep(rules.claimGapMs, { label: 'claim gap' }).then(() => begin(visit, asked, book))
}

/** From the claim to the run. No `await` stands between them: the key is taken before anybody else can look. */
function begin(visit: Visit, sent: Asked, book: KeyBook): Reply | Promise<Reply> {
  const { world } = visit
  const record = claimKey(world, book, sent)
  const asked = world.rules.turnOf(sent, world)
  countTurn(world, asked.apiKey)
  const turn = prepare(world, asked)
  if (isRefusal(turn)) {
    giveBack(world, book, record, turn)
    return refused(visit, turn)
  }
  const outage = takeOutage(world.outages, 'turn', { agentId: asked.agent.id, apiKey: asked.apiKey })
  if (!outage) return perform(visit, createRun(world, asked, book, record, turn))
  const failure = refuse(outage.status === 500 ? 'SERVER_ERROR' : 'UNAVAILABLE')
  putBack(world, turn)
  giveUp(world, book, record, failure)
  return refused(visit, failure)
}

function aboutAsked({ agent, apiKey, key, request }: Asked): Visit['about'] {
  return {
    operation: 'chat',
    agent: agent.name,
    agentId: agent.id,
    account: apiKey.account,
    key,
    ...(request.interaction && { interaction: true }),
  }
}
