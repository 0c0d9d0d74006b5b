/** What a target is asked before a run: which requests show whether its file is true. Pure. */
import { states, type StateId } from '../../spec/index.ts'
import { provisionOf } from '../runner/states/state-providers.ts'
import { ordinary } from '../runner/states/settings.ts'
import { agentFor, mayCall } from '../scenario/scenario.ts'
import { isOfScenarios } from '../config/features.ts'
import type { Principal, Target, Provision } from '../config/target.ts'
import { scopeQuestions, type ScopeQuestion } from './keys.ts'
import type { Offers } from '../runner/states/control.ts'
import type { Proof } from '../runner/prove.ts'
import { attestation } from '../runner/states/providers/provider.ts'
import { fine, missing, notConfigured, unknownSign, wrong, type DoctorResult } from './sign.ts'

/** At most these are sent, whatever else a target declares. */
export const mostOf = ({ principals }: Target) => ({ requests: 24 + 4 * principals.length, turns: 8 })

/** One request each. `as` and `agent` say with which key, null for none, and for which agent id it is made. */
export type DoctorQuestion =
  | { is: 'reach' }
  /** Shows whether keys are looked at before bodies are, or else a free request says nothing of a key. */
  | { is: 'no key'; as: null; agent: string }
  /** The same of agents. */
  | { is: 'no agent'; as: Principal; agent: string }
  | { is: 'key'; as: Principal; agent: string }
  | { is: 'agent'; as: Principal; agent: string; name: string }
  | { is: 'replica'; as: Principal | null; agent: string; url: string }
  | { is: 'control' }
  | { is: 'session' }
  | { is: 'creation' }
  | { is: 'operations' }
  /** A turn, and the same request again: they show the vendor's word. */
  | { is: 'turn' }
  | { is: 'replay' }
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
  // What only a delivery shows is not looked at.
  const all: readonly DoctorQuestion[] = [
    { is: 'reach' },
    ...(target.control ? [{ is: 'control' } as const] : []),
    ...(target.session ? [{ is: 'session' } as const] : []),
    ...(target.session !== null && target.kind !== 'production' && !target.readOnly
      ? [{ is: 'creation' } as const]
      : []),
    ...(target.fixtures.operations.length > 0 ? [{ is: 'operations' } as const] : []),
    { is: 'no key', as: null, agent: plain },
    ...(self ? [{ is: 'no agent', as: self, agent: nobody } as const] : []),
    ...target.principals.map((as) => ({ is: 'key', as, agent: agentFor(as, plain) }) as const),
    ...scopeQuestions(target),
    ...(self && second
      ? [{ is: 'agent', as: callerOf(second, self, target), agent: second, name: 'second' } as const]
      : []),
    ...target.replicas.map((url) => ({ is: 'replica', as: self ?? null, agent: plain, url }) as const),
    ...(Object.keys(states) as StateId[])
      .filter((id) => provisionOf(id, target).provide === 'fixture' && !isOfScenarios(id))
      .map((state) => ({ is: 'fixture', state }) as const),
    ...(self ? ([{ is: 'turn' }, { is: 'replay' }] as const) : []),
  ]
  return within(all, target)
}

/** The key of an ordinary scenario, or the first of its account that may call the agent. */
function callerOf(agent: string, self: Principal, { principals }: Target): Principal {
  const able = principals.filter(
    (one) =>
      one.account === self.account && one.scopes.includes('chat') && !one.revoked && mayCall(one, agent),
  )
  return able.includes(self) ? self : (able[0] ?? self)
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

/** What the control protocol says it can do; words where it says nothing, null where it was not asked. */
export type ControlOffers = Offers | string | null

export function judgeControl(offers: ControlOffers, { timing }: Target): readonly DoctorResult[] {
  if (offers === null) return []
  if (typeof offers === 'string')
    return [missing('control', `${offers}; fix control.url, or what speaks there`)]
  const known = offers.states.filter((state) => state in states).length
  const clock = offers.clock ? 'a clock that can be advanced' : 'no clock'
  const spoken = fine(
    'control',
    `it is spoken, with ${known} of ${Object.keys(states).length} states and ${clock}`,
  )
  if (timing.clock !== 'control' || offers.clock) return [spoken]
  return [
    spoken,
    missing('timing.clock', 'the control protocol has no clock; set `timing.clock: real`, or offer one'),
  ]
}

/** States that come about on the wire alone need no word. */
export function judgeStates(
  target: Target,
  control: ControlOffers,
  proofs: readonly Proof[],
): readonly DoctorResult[] {
  const ids = Object.keys(states) as StateId[]
  const signs = ids.flatMap((state) => judgeState(state, provisionOf(state, target), control, proofs) ?? [])
  return [...Map.groupBy(signs, likeness).values()].flatMap(asOne)
}

const kinds = ['event.', 'no-event.'] as const

/** Of many events the same is said once. */
function likeness({ is, about, words }: DoctorResult): string {
  const kind = kinds.find((one) => about.startsWith(`states.${one}`))
  return kind === undefined ? about : `${kind} ${is} ${words}`
}

function asOne(alike: readonly DoctorResult[]): readonly DoctorResult[] {
  const [first] = alike
  const kind = kinds.find((one) => first?.about.startsWith(`states.${one}`))
  return first && alike.length > 1 ? [{ ...first, about: `states.${kind}* (${alike.length})` }] : alike
}

function judgeState(
  state: StateId,
  provision: Provision,
  control: ControlOffers,
  proofs: readonly Proof[],
): DoctorResult | null {
  const about = `states.${state}`
  const { provide } = provision
  if (provide === 'wire') return null
  if (provide === 'none') return notConfigured(about, `not configured: ${provision.why}`)
  if (provide === 'attest') return unknownSign(about, attestation(provision))
  if (provide === 'control') return byControl(state, control)
  if (provide !== 'fixture') return unknownSign(about, `only a check brings it about by ${provide}`)
  if (isOfScenarios(state)) return unknownSign(about, 'only a scenario shows it')
  const proof = proofs.find((one) => one.state === state)
  if (!proof) return unknownSign(about, 'not looked at: the requests and turns for it are used up')
  if (proof.is === 'holds') return fine(about, 'a turn shows nothing against the fixture')
  return proof.is === 'refuted' ? wrong(about, proof.because) : unknownSign(about, proof.because)
}

function byControl(state: StateId, control: ControlOffers): DoctorResult {
  const about = `states.${state}`
  if (control === null || typeof control === 'string')
    return unknownSign(about, 'the control protocol did not say whether it has it')
  return control.states.includes(state)
    ? fine(about, 'the control protocol has it')
    : missing(about, 'the control protocol lacks it; provide it there, by another way, or by none')
}
