/**
 * A refusal that says nothing about a clause when it comes once: no credits, no permission, too often, not now, or an
 * error of a gateway. Where it came again to every fresh attempt, while requests in between that differ from it were
 * accepted, it is the answer of the target, and is judged. Pure: works on a recorded scenario just the same.
 */
import { replied } from '../../assertions/turn.ts'
import { isStream } from '../../assertions/reply.ts'
import { eventsOf, isTerminal } from '../../chat/assertions/streams/stream.ts'
import { type Exchange, member } from '../../wire/exchange.ts'
import { memo } from '../../wire/memo/memo.ts'
import type { Principal } from '../../config/target.ts'
import type { Outgoing } from '../../wire/recorder.ts'
import type { Repeatable, ScenarioContext, ScenarioDeps } from '../scenario-context.ts'
import { accepted, idOf, isDropped } from '../../receivers/answers.ts'
import { attemptOf, controlOf } from '../../scenario/exchange-names.ts'
import { limits } from '../../../spec/index.ts'
import { chatRequest } from '../requests/request.ts'
import type { AnyScenario, Setting } from '../../scenario/scenario.ts'

/** So many fresh attempts, with a control before, between and after them. */
export const attemptsMost = 3

/** Refusals of which one alone decides nothing. */
export const passingRefusals: readonly number[] = [402, 403, 429, 502, 503, 504]

/** What may be over in a while is attempted for so long, on the target's clock. */
export const attemptsForMs = 120_000
const overInAWhile: readonly number[] = [429, 503]

export function pauseBefore(status: number): number {
  return overInAWhile.includes(status) ? attemptsForMs / attemptsMost : 0
}

/** A request for what the key of a refused one may do. */
export const withinScopeOf = (name: string): string => `scope of ${name}`

/** Whether it is an attempt, a control or a probe, and no part of the scenario. */
export function isBeside(name: string): boolean {
  return /^(?:attempt|control|probe|scope) of /.test(name)
}

export const withRecurrence = memo((exchanges: readonly Exchange[]): readonly Exchange[] => {
  const byName = Map.groupBy(exchanges, ({ scenario, name }) => `${scenario} ${name}`)
  if (!exchanges.some(({ scenario, name }) => byName.has(`${scenario} ${controlOf(name)}`))) return exchanges
  return exchanges.map((exchange) => {
    const { scenario, name } = exchange
    const attempts = byName.get(`${scenario} ${attemptOf(name)}`) ?? []
    const controls = byName.get(`${scenario} ${controlOf(name)}`) ?? []
    return recurred(exchange, attempts, controls) ? { ...exchange, recurred: 1 + attempts.length } : exchange
  })
})

function recurred(exchange: Exchange, attempts: readonly Exchange[], controls: readonly Exchange[]): boolean {
  const status = exchange.response?.status ?? 0
  const drops = isDropped(exchange)
  return (
    (passingRefusals.includes(status) || isEndless(exchange) || drops) &&
    // A delivery is attempted as often as its sender does.
    attempts.length >= (drops ? limits.webhookAttempts - 1 : attemptsMost) &&
    attempts.every((attempt) => isSame(attempt, exchange)) &&
    controls.length > attempts.length &&
    controls.every((control) => (drops ? accepted(control).is === 'pass' : isAccepted(control))) &&
    (status !== 402 || controls.every((control) => attempts.every((one) => hasEnough(control, one))))
  )
}

export function isSame(attempt: Exchange, first: Exchange): boolean {
  if (isEndless(first)) return isEndless(attempt)
  if (isDropped(first)) return isDropped(attempt) && idOf(attempt) === idOf(first)
  return attempt.failure === null && attempt.response?.status === first.response?.status
}

/** A stream that had neither `done` nor `error` when the time was up that `timing` of the target file allows. */
export function isEndless(exchange: Exchange): boolean {
  const { failure, response } = exchange
  return (
    failure?.kind === 'timeout' &&
    response?.status === 200 &&
    isStream(exchange) &&
    !eventsOf(exchange).some(isTerminal)
  )
}

export function isAccepted(control: Exchange): boolean {
  return replied(control).is === 'pass'
}

/** A control shows that there are credits left, and at least as many as the refusal asks for. */
function hasEnough(control: Exchange, refusal: Exchange): boolean {
  const left = member(control, '/credits_remaining')
  const required = member(refusal, '/credits_required') ?? 0
  return typeof left === 'number' && left > 0 && typeof required === 'number' && left >= required
}

/** Sends attempts and controls for what was refused since an exchange, while the state of then still holds. */
export async function insist(
  { needs }: Pick<AnyScenario, 'needs'>,
  context: ScenarioContext,
  deps: ScenarioDeps,
  since = 0,
): Promise<void> {
  // Turns beside those of the scenario would be missing from the credits that it counts.
  if (needs?.exclusiveCredits === true) return
  const open = context.repeatable.filter(({ exchange }) => exchange.id > since)
  context.repeatable = context.repeatable.filter((one) => !open.includes(one))
  const surprising = open.filter((one) => isSurprising(one, context))
  if (surprising.length > 0 && needs?.exclusiveCredits)
    context.notes['credits'] ??= 'turns were sent beside those of the scenario'
  for (const one of surprising) await attempt(one, context, deps)
}

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

async function attempt(one: Repeatable, context: ScenarioContext, deps: ScenarioDeps): Promise<void> {
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
function controlFor(
  { setting, as, exchange }: Repeatable,
  context: ScenarioContext,
  { target }: ScenarioDeps,
) {
  const { openStates: held, setting: now } = context
  const base = held[0]?.before ?? now
  const states = held.map(({ entered }) => entered.state)
  const self = base.cast['self']
  const sentAs = as === null ? self : setting.cast[as]
  const others = target.principals.filter(
    (one) => one.name !== sentAs?.name && one.scopes.includes('chat') && !one.sacrificial && !one.revoked,
  )
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
