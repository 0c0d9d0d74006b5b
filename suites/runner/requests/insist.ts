/**
 * Attempts a request again that was refused in a way that says nothing when it comes once. Nothing is sent where no
 * such refusal came, so this costs a conforming target nothing.
 */
import type { Principal, Target } from '../../config/target.ts'
import type { Exchange } from '../../wire/exchange.ts'
import type { Outgoing } from '../../wire/recorder.ts'
import type { Wire } from '../../wire/wire.ts'
import {
  attemptOf,
  attemptsMost,
  isEndless,
  controlOf,
  isAccepted,
  isSame,
  passingRefusals,
  pauseBefore,
} from '../outcome/recurrence.ts'
import type { Repeatable } from '../scenario-context.ts'
import { chatRequest, type RequestDefaults } from './request.ts'
import type { AnyScenario } from '../../scenario/scenario.ts'
import type { Setting } from '../../scenario/setting.ts'
import type { ScenarioContext } from '../scenario-context.ts'

interface Deps {
  wire: Pick<Wire, 'send'>
  requestDefaults: RequestDefaults
  wait: (ms: number) => Promise<void>
  insistence: Insistence
  target: Pick<Target, 'principals' | 'timing'>
}

/** What a run has spent on it: a target that is down, or out of credits, is not asked for ever. */
export interface Insistence {
  left: number
  /** Of these, series that take minutes of real time. */
  leftSlow: number
}
export const insistenceOfRun = (): Insistence => ({ left: 12, leftSlow: 4 })

/** Sends attempts and controls for what was refused since an exchange, while the state of then still holds. */
export async function insist(
  { needs }: Pick<AnyScenario, 'needs'>,
  context: ScenarioContext,
  deps: Deps,
  since = 0,
): Promise<void> {
  // Turns beside those of the scenario would be missing from the credits that it counts.
  if (needs?.exclusiveCredits) return
  const open = context.repeatable.filter(({ exchange }) => exchange.id > since)
  context.repeatable = context.repeatable.filter((one) => !open.includes(one))
  for (const one of open) if (isSurprising(one, context)) await attempt(one, context, deps)
}

/** Refused as nothing in the scenario, its states or the target file has it. */
function isSurprising({ exchange, setting, as }: Repeatable, { openStates: held }: ScenarioContext): boolean {
  if (isEndless(exchange)) return true
  const status = exchange.response?.status ?? 0
  if (!passingRefusals.includes(status)) return false
  const states = held.map(({ entered }) => entered.state)
  const sender = as === null ? undefined : setting.cast[as]
  if (sender?.sacrificial || states.includes('rate.limited')) return false
  if (status === 402) return !states.includes('credits.exhausted')
  if (status === 503) return !states.includes('server.503') && !states.includes('server.500')
  if (status === 403) return !states.includes('plan.disallows') && mayChat(sender, setting, exchange)
  return true
}

/** The target file says that this key may send messages to this agent. */
function mayChat(sender: Principal | undefined, setting: Setting, { request }: Exchange): boolean {
  const { cast, agent, secondAgent } = setting
  if (!sender || sender.revoked || !sender.scopes.includes('chat')) return false
  if (sender.account !== cast['self']?.account) return false
  const asked = decodeURIComponent(request.path.split('/').at(-1) ?? '')
  return [agent, secondAgent].includes(asked) && reaches(sender, asked)
}

const reaches = ({ agents }: Principal, agent: string): boolean => agents === '*' || agents.includes(agent)

async function attempt(one: Repeatable, context: ScenarioContext, deps: Deps): Promise<void> {
  const { name, response } = one.exchange
  const status = response?.status ?? 0
  const control = controlFor(one, context, deps)
  const { insistence, target } = deps
  const isSlow = isEndless(one.exchange) || (pauseBefore(status) > 0 && target.timing.clock === 'real')
  if (!control || insistence.left <= 0 || (isSlow && insistence.leftSlow <= 0)) return
  insistence.left -= 1
  if (isSlow) insistence.leftSlow -= 1
  const send = async (outgoing: Outgoing): Promise<Exchange | null> => {
    const sent = await deps.wire.send(outgoing)
    if (sent.failure?.kind === 'budget') return null
    context.exchanges.push(sent)
    return sent
  }
  const accepted = async (): Promise<boolean> => {
    const sent = await send(
      chatRequest(controlOf(name), control.asked, control.setting, deps.requestDefaults),
    )
    return sent !== null && isAccepted(sent)
  }
  if (!(await accepted())) return
  for (let count = 0; count < attemptsMost; count++) {
    const ms = pauseBefore(status)
    if (ms > 0) await deps.wait(ms)
    const sent = await send(one.again(attemptOf(name)))
    if (sent === null || !isSame(sent, one.exchange) || !(await accepted())) return
  }
}

/** A plain message that none of the states is about: to another agent than theirs, with the same key if that may. */
function controlFor({ setting, as, exchange }: Repeatable, context: ScenarioContext, { target }: Deps) {
  const { openStates: held, setting: now } = context
  const base = held[0]?.before ?? now
  const states = held.map(({ entered }) => entered.state)
  const self = base.cast['self']
  const sentAs = as === null ? self : setting.cast[as]
  const others = target.principals.filter((one) => one.name !== sentAs?.name && isOrdinary(one))
  const { account } = self ?? {}
  const senders = states.includes('credits.exhausted')
    ? others.filter((one) => one.account !== account)
    : exchange.response?.status === 403
      ? others.filter((one) => one.account === account)
      : [sentAs]
  const agents = [base.agent, base.secondAgent].filter(
    (id) => id !== '' && !(held.length > 0 && id === now.agent),
  )
  for (const sender of senders) {
    const own = sender && sender.agents !== '*' ? sender.agents : []
    const agent = sender && [...agents, ...own].find((id) => reaches(sender, id))
    if (sender && agent !== undefined)
      return { asked: { agent }, setting: { ...base, cast: { ...base.cast, self: sender } } }
  }
  return null
}

const isOrdinary = ({ scopes, sacrificial, revoked }: Principal): boolean =>
  scopes.includes('chat') && !sacrificial && !revoked
