/** What a target is asked before a run: which requests show whether its file is true. Pure. */
import { states, type StateId } from '../../spec/index.ts'
import { provisionOf } from '../runner/states/state-providers.ts'
import { ordinary } from '../runner/states/settings.ts'
import { agentFor, mayCall } from '../scenario/setting.ts'
import { isOfScenarios } from '../config/features.ts'
import type { Principal, Target } from '../config/target.ts'
import { scopeQuestions, type ScopeQuestion } from './scopes.ts'

/** At most these are sent, whatever else a target declares. */
export const mostOf = ({ principals }: Target) => ({ requests: 24 + 4 * principals.length, turns: 8 })

/** One request each. `as` and `agent` say with which key, null for none, and for which agent id it is made. */
export type DoctorQuestion =
  | { is: 'reach'; as: null; agent: string }
  /** Shows whether keys are looked at before bodies are, or else a free request says nothing of a key. */
  | { is: 'no key'; as: null; agent: string }
  /** The same of agents. */
  | { is: 'no agent'; as: Principal; agent: string }
  | { is: 'key'; as: Principal; agent: string }
  | { is: 'agent'; as: Principal; agent: string; name: string }
  | { is: 'replica'; as: Principal | null; agent: string; url: string }
  | { is: 'control' }
  | { is: 'session' }
  /** Creates a webhook and removes it. */
  | { is: 'creation' }
  | { is: 'operations' }
  /** A turn, and the same request again: they show the vendor's word. */
  | { is: 'turn' }
  | { is: 'replay' }
  /** Takes a turn. */
  | { is: 'fixture'; state: StateId }
  | ScopeQuestion

export interface Questions {
  asked: readonly DoctorQuestion[]
  /** For which there are not requests or turns enough. */
  left: readonly DoctorQuestion[]
  requests: number
  turns: number
}

const nobody = 'touchstone-no-such-agent'

/** The most important first: what exceeds the budget is the least of it. */
export function questionsFor(target: Target): Questions {
  const { plain, second } = target.agents
  const self = ordinary(target)
  const all: readonly DoctorQuestion[] = [
    { is: 'reach', as: null, agent: plain },
    ...(target.control ? [{ is: 'control' } as const] : []),
    ...(target.session ? [{ is: 'session' } as const] : []),
    ...(mayCreate(target) ? [{ is: 'creation' } as const] : []),
    ...(target.fixtures.operations.length > 0 ? [{ is: 'operations' } as const] : []),
    { is: 'no key', as: null, agent: plain },
    ...(self ? [{ is: 'no agent', as: self, agent: nobody } as const] : []),
    ...target.principals.map((as) => ({ is: 'key', as, agent: agentFor(as, plain) }) as const),
    ...scopeQuestions(target),
    ...(self && second
      ? [{ is: 'agent', as: callerOf(second, self, target), agent: second, name: 'second' } as const]
      : []),
    ...target.replicas.map((url) => ({ is: 'replica', as: self ?? null, agent: plain, url }) as const),
    ...fixtureStates(target).map((state) => ({ is: 'fixture', state }) as const),
    ...(self ? ([{ is: 'turn' }, { is: 'replay' }] as const) : []),
  ]
  return within(all, target)
}

function mayCreate({ session, kind, readOnly }: Target): boolean {
  return session !== null && kind !== 'production' && !readOnly
}

/** The key of an ordinary scenario, or the first of its account that may call the agent. */
function callerOf(agent: string, self: Principal, { principals }: Target): Principal {
  const able = principals.filter(
    (one) =>
      one.account === self.account && one.scopes.includes('chat') && !one.revoked && mayCall(one, agent),
  )
  return able.includes(self) ? self : (able[0] ?? self)
}

/** What only a delivery shows is not looked at. */
function fixtureStates(target: Target): readonly StateId[] {
  return (Object.keys(states) as StateId[]).filter(
    (id) => provisionOf(id, target).provide === 'fixture' && !isOfScenarios(id),
  )
}

const isBilled = ({ is }: DoctorQuestion): boolean => is === 'fixture' || is === 'turn'

function requestsOf(questions: readonly DoctorQuestion[]): number {
  return questions.length + questions.filter(({ is }) => is === 'creation').length
}

/** Never more than a key may send in a minute: so nothing has to wait. Without a key, it counts as the ordinary one. */
function within(all: readonly DoctorQuestion[], target: Target): Questions {
  const { budgets } = target
  const most = mostOf(target)
  const requests = Math.min(most.requests, budgets.requests)
  const turns = Math.min(most.turns, budgets.turns)
  const keyOf = (one: DoctorQuestion) => ('as' in one && one.as ? one.as : ordinary(target))?.name
  const asked: DoctorQuestion[] = []
  const left: DoctorQuestion[] = []
  for (const question of all) {
    const billed = asked.filter(isBilled).length
    const [own, alike] = [requestsOf([question]), asked.filter((one) => keyOf(one) === keyOf(question))]
    const fits =
      requestsOf(asked) + own <= requests &&
      requestsOf(alike) + own <= budgets.requestsPerMinute &&
      (!isBilled(question) || billed < turns)
    ;(fits ? asked : left).push(question)
  }
  return {
    asked,
    left,
    requests: requestsOf(asked),
    turns: asked.filter(isBilled).length,
  }
}
