/** Picks what a scenario needs from what a target declares: by capability, never by name. */
import { areaOf, type ClauseId, type Scope, scopes, type WebhookEvent } from '../../../spec/index.ts'
import { missingFor, missingForAll } from '../../config/features.ts'
import type { OlderKey, Principal, Target, OptIn } from '../../config/target.ts'
import { creditsAreShared, notExercised, ScenarioEnded } from '../../scenario/ending.ts'
import { agentOfEvent, chooseEvent, type Choosing, chooseOperation } from '../plan/operation-choice.ts'
import { provisionOf } from './state-providers.ts'
import { barredByReadOnly } from '../plan/read-only.ts'
import {
  type Needs,
  type OlderRole,
  type PrincipalNeed,
  type Scenario,
  mayCall,
  type Setting,
} from '../../scenario/scenario.ts'
import type { Clock } from '../../wire/clock.ts'

type Kind = NonNullable<PrincipalNeed['kind']>

interface Choice {
  target: Target
  /** The account of the scenario's own principal, or of the ordinary one. */
  account: string | undefined
}

const isOf: Record<Kind, (principal: Principal, choice: Choice) => boolean> = {
  ordinary: (principal, { target }) => !principal.sacrificial && mayCall(principal, target.agents.plain),
  restricted: (principal, { target, account }) =>
    !principal.sacrificial &&
    principal.account === account &&
    principal.agents !== '*' &&
    !principal.agents.includes(target.agents.plain),
  'other-account': (principal, { account }) => !principal.sacrificial && principal.account !== account,
  'second-of-account': (principal, { target, account }) =>
    !principal.sacrificial && principal.account === account && mayCall(principal, target.agents.plain),
  sacrificial: (principal, { target }) => principal.sacrificial && mayCall(principal, target.agents.plain),
  revoked: (principal) => principal.revoked === true,
}

const stanza: Record<Kind, string> = {
  ordinary: 'agents: "*"',
  restricted: 'agents: [<an agent of its account that is not the plain one>]',
  'other-account': 'account: <another account>',
  'second-of-account': 'account: <the same account, with a second key>',
  sacrificial: 'sacrificial: true (a key that may be rate limited)',
  revoked: 'revoked: true (a key that was valid once)',
}

export function settle(
  { needs = {}, judge = {} }: Pick<Scenario, 'needs'> & Partial<Pick<Scenario, 'judge'>>,
  target: Target,
  message: string,
  choosing: Choosing = {},
): Setting | ScenarioEnded {
  const clauses = Object.keys(judge) as ClauseId[]
  const missing =
    missingFeature(clauses, needs, target) ??
    barredByReadOnly(needs, target) ??
    missingOptIn(needs, target) ??
    missingFixture(needs, target)
  if (missing) return missing
  const older = olderCast(needs, target)
  if (older instanceof ScenarioEnded) return older
  const cast: Record<string, Principal> = { ...older }
  const wanted = { self: needs.principal ?? {}, ...needs.others, ...needs.also }
  const absent: Record<string, string> = {}
  const event = chooseEvent(needs, target, choosing)
  const called = agentsCalled(needs, event, target)
  for (const [role, need] of Object.entries(wanted)) {
    const own = role === 'self' ? called : []
    const taken = Object.values(cast).map(({ name }) => name)
    const account = cast['self']?.account ?? ordinary(target)?.account
    const principal = target.principals.find(
      (candidate) =>
        !taken.includes(candidate.name) &&
        !isSpent(candidate, target) &&
        meets(candidate, need, { target, account }) &&
        own.every((agent) => mayCall(candidate, agent)),
    )
    if (principal) cast[role] = principal
    else if (needs.also?.[role]) absent[role] = wantedWords(role, need, own)
    else return notExercised('principal-missing', wantedWords(role, need, own))
  }
  if (event instanceof ScenarioEnded) return event
  const operation = needs.operation && chooseOperation(needs.operation, target)
  if (operation instanceof ScenarioEnded) return operation
  const { plain, second } = target.agents
  const { messages, echo, recall } = target.fixtures
  const { replicas } = target
  const setting = {
    agent: (needs.event && agentOfEvent(event, target)) ?? plain,
    event,
    ...(operation ? { operation } : {}),
    ...(needs.session && target.session ? { session: target.session.headers } : {}),
    ...(target.webhookCreation ? { webhookCreation: target.webhookCreation } : {}),
    secondAgent: second ?? '',
    message: messages.plain ?? message,
    replicas,
    cast,
    absent,
  }
  const self = cast['self']
  const isEcho = echo !== null && self !== undefined && mayCall(self, echo.agent)
  return { ...setting, ...(isEcho ? { echo } : {}), ...(recall ? { recall } : {}) }
}

type OlderCast = Readonly<Partial<Record<OlderRole, Principal>>>

/** Nothing is known of the variant but what is declared: without a key it is not asked for. */
function olderCast({ older }: Needs, { features, legacy, agents }: Target): OlderCast | ScenarioEnded {
  if (older === undefined) return {}
  if (features.legacy !== 'supported')
    return notExercised(
      'feature-unsupported',
      'the target file does not declare `features.legacy: supported`',
    )
  const own = legacy?.keys.find(({ agent }) => agent === agents.plain)
  if (!own)
    return notExercised('principal-missing', 'no key of the older variant; declare `legacy.keys.plain`')
  const another = legacy?.keys.find(({ agent }) => agent !== agents.plain)
  if (older === 'two-keys' && !another)
    return notExercised(
      'principal-missing',
      'no second key of the older variant; declare one for another agent',
    )
  return {
    older: olderPrincipal(own, older === 'limited'),
    ...(another ? { otherOlder: olderPrincipal(another, false) } : {}),
  }
}

/** A key that may be limited is not held under the rate of the run. */
function olderPrincipal({ name, agent, bearer }: OlderKey, sacrificial: boolean): Principal {
  return {
    name: `older-${name}`,
    bearer,
    scopes: ['chat'],
    agents: [agent],
    account: `older-${name}`,
    sacrificial,
  }
}

function agentsCalled(
  { secondAgent, recall, states = [], event: wanted }: Needs,
  event: WebhookEvent | ScenarioEnded,
  target: Target,
): readonly string[] {
  const { plain, second } = target.agents
  const ofStates = states.flatMap((state) => {
    const { agent, principal, session } = provisionOf(state, target)
    return principal || session ? [] : [agent]
  })
  const agents = [
    ...ofStates,
    secondAgent && second,
    recall && target.fixtures.recall?.agent,
    wanted && !(event instanceof ScenarioEnded) ? agentOfEvent(event, target) : undefined,
  ]
  return [...new Set(agents.filter((agent) => agent !== undefined && agent !== plain))] as string[]
}

/** A key without credits: only scenarios about that use it. */
function isSpent({ name }: Principal, { states }: Target): boolean {
  const provision = states['credits.exhausted']
  return provision?.provide === 'fixture' && provision.principal === name
}

/** The principal of an ordinary scenario: the one that the preflight asks with. */
export function ordinary(target: Target): Principal | undefined {
  return target.principals.find(
    (principal) => !isSpent(principal, target) && meets(principal, {}, { target, account: undefined }),
  )
}

function meets(principal: Principal, need: PrincipalNeed, choice: Choice): boolean {
  const { kind = 'ordinary', without = [] } = need
  return (
    isOf[kind](principal, choice) &&
    (kind === 'revoked' || !principal.revoked) &&
    scopesOf(need).every((scope) => principal.scopes.includes(scope)) &&
    // What a scope of its own includes is not known.
    (without.length === 0 ||
      principal.scopes.every((own) => scopes.some((one) => one === own) && !without.includes(own as Scope)))
  )
}

/** Everybody chats, unless the scenario is about not being allowed to. */
function scopesOf({ with: wanted = [], without = [] }: PrincipalNeed): readonly Scope[] {
  return wanted.length > 0 || without.includes('chat') ? wanted : ['chat']
}

function wantedWords(role: string, need: PrincipalNeed, called: readonly string[]): string {
  const { kind = 'ordinary', without = [] } = need
  const scopes = `scopes: [${scopesOf(need).join(', ')}]${without.length > 0 ? ` without ${without.join(', ')}` : ''}`
  const who = role === 'self' ? 'no principal' : `no further principal (role ${role})`
  const calls = called.length > 0 ? ` (it calls ${called.join(' and ')} too)` : ''
  return `${who} has ${scopes} and ${stanza[kind]}${calls}; declare one under \`principals\``
}

function missingFeature(
  clauses: readonly ClauseId[],
  { states = [] }: Needs,
  { features }: Target,
): ScenarioEnded | null {
  const feature =
    missingForAll(
      clauses.map((clause) => areaOf[clause]),
      features,
    ) ?? states.map((state) => missingFor(state, features)).find((found) => found !== undefined)
  return feature === undefined
    ? null
    : notExercised('feature-unsupported', `the target file declares \`features.${feature}: unsupported\``)
}

function missingOptIn({ optIn = [] }: Needs, target: Target): ScenarioEnded | null {
  const missing = optIn.filter((one) => !target.optIn.includes(one))
  return missing.length === 0
    ? null
    : notExercised(
        'opt-in-required',
        `it ${missing.map((one) => what[one]).join(' and ')}; allow that with \`optIn\``,
      )
}

const what: Readonly<Record<OptIn, string>> = {
  slow: 'is slow',
  costly: 'is costly',
  destructive: 'is destructive',
  writes: 'writes',
}

function missingFixture(
  { secondAgent, replicas, exclusiveCredits, session, receiver, recall }: Needs,
  target: Target,
): ScenarioEnded | null {
  if (secondAgent && !target.agents.second)
    return notExercised('fixture-missing', 'no second agent of the account; declare `agents.second`')
  if (replicas && target.replicas.length === 0)
    return notExercised('fixture-missing', 'no further base address; declare `target.replicas`')
  if (recall && !target.fixtures.recall)
    return notExercised('fixture-missing', 'no agent that remembers a text; declare `fixtures.recall`')
  if (session && target.session === null)
    return notExercised(
      'principal-missing',
      'no signed-in user; declare one as `session: { headers: { Cookie: "env:SESSION_COOKIE" } }`',
    )
  if (receiver && target.receiver.mode === 'none')
    return notExercised(
      'receiver-unreachable',
      'nothing says where the target can deliver to; declare `receiver.mode` as loopback or public',
    )
  if (
    receiver &&
    !(target.receiver.mode !== 'loopback' || target.receiver.development || target.receiver.allowed)
  )
    return notExercised(
      'receiver-unreachable',
      'the receiver is on this machine, and a target that is not in development does not deliver there unless it is `allowed`',
    )
  if (exclusiveCredits === true && !target.exclusiveCredits)
    return notExercised('prerequisite-failed', creditsAreShared)
  return null
}

/** The target's clock, as the run knows it: real time, and what the run advanced it by. All scenarios share it. */
export interface SharedTime {
  /** Milliseconds on the target's clock since the run began. */
  now(): number
  /** Moves the target's clock on; absent where it goes by itself. */
  advance?: (ms: number) => Promise<void>
  /** For how long on it, as it was moved on last, nothing falls due that the target knows of; 0 where unsaid. */
  quiet(): number
  /** Nothing advances it: waiting changes nothing. */
  stands?: true
}

/** Moves a clock on, and says for how long nothing falls due then; 0 where that is not known. */
type Advance = (ms: number) => Promise<number>

/** `advance`: how the target's clock is moved on, where that is ours to do; null where nothing there can. */
export function sharedTime(clock: Clock, advance: Advance | null | undefined): SharedTime {
  let skipped = 0
  let quiet = 0
  const now = (): number => clock.now() + skipped
  if (advance === undefined) return { now, quiet: () => 0 }
  return {
    now,
    quiet: () => quiet,
    ...(advance === null ? { stands: true } : {}),
    async advance(ms) {
      // What comes while the clock moves is dated by its end: a wait may look longer than it was, never shorter.
      skipped += ms
      const moving = advance?.(ms).catch((thrown: unknown) => {
        skipped -= ms
        throw thrown
      })
      quiet = (await moving) ?? 0
    },
  }
}

const stepMs = 1_000
const mostSteps = 120
/** Parts of the first step: two things that follow soon on one another are not to look simultaneous. */
const soon = [0, stepMs / 10, stepMs / 5, stepMs - stepMs / 10 - stepMs / 5]

interface Stepping {
  /** Asked after each step; true ends the wait. */
  isOver?: () => Promise<boolean>
  /** Begins with no step at all, and makes the first in parts. */
  soonFirst?: boolean
}

/**
 * Whether it was over before `ms` had passed. Where the target says for how long nothing falls due, one step goes
 * that far: what falls due then is dated by the moment itself.
 */
export async function stepThrough(
  ms: number,
  { time, wait }: { time: Pick<SharedTime, 'quiet'>; wait: (ms: number) => Promise<void> },
  { isOver = never, soonFirst = false }: Stepping = {},
): Promise<boolean> {
  const first = soonFirst ? soon : []
  const usual = Math.max(stepMs, Math.ceil(ms / mostSteps))
  let gone = 0
  for (let at = 0; at === 0 || gone < ms; at++) {
    const step = Math.max(first[at] ?? usual, at === 0 ? 0 : time.quiet())
    const taken = Math.min(step, ms - gone)
    await wait(taken)
    gone += taken
    if (await isOver()) return true
  }
  return false
}

const never = (): Promise<boolean> => Promise.resolve(false)
