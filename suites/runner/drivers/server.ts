/** Runs the suite against a server. */
import { plainSetting, type AnyScenario } from '../../scenario/scenario.ts'
import pMap from 'p-map'
import type { Run } from '../../../bundle/record.ts'
import { originsOf } from '../../config/secret-values.ts'
import { ConfigurationError, type Target } from '../../config/target.ts'
import { serverScenarios } from '../../scenarios.ts'
import {
  endingOf,
  notExercised,
  ScenarioEnded,
  type Ending,
  type ScenarioExecution,
} from '../../scenario/ending.ts'
import { createVendorWatch, vendorAdvice } from '../outcome/vendor-seen.ts'
import { chooseEvent, choosingFor, laneOfEvent } from '../plan/operation-choice.ts'
import { openingOf } from '../plan/opening.ts'
import { ceilingOf, isRepeatable, pacedRequests } from '../plan/selection.ts'
import { planRun, type Planned, type PlannedScenario, type Scenarios, shardOf } from '../plan/plan.ts'
import { openInboundReceiver, type InboundReceiver } from '../receiver/inbound-receiver.ts'
import { laneOf, withKeys } from '../requests/key-ring.ts'
import { type RequestDefaults, chatRequest } from '../requests/request.ts'
import { startRunContext, type RunContext } from '../run-context.ts'
import type { RunDriver, SessionOptions } from '../run-driver.ts'
import { completeRun, openRun, type RunLoop } from '../run-loop.ts'
import { runScenario } from '../run-scenario.ts'
import { createTurnWatch, sendProbe, doubtOf, noSuchAgent, preflight, type Doubt } from '../plan/preflight.ts'
import { settle, ordinary } from '../states/settings.ts'
import { createStateProviders, withWays } from '../states/state-providers.ts'
import { createTargetWatch } from '../target-watch.ts'
import { areaOf, type Area, type ClauseId } from '../../../spec/index.ts'
import type { Wire } from '../../wire/recorder.ts'
import { manageRequest } from '../requests/manage-request.ts'

const chatAreas: readonly Area[] = [
  'chat-request',
  'chat-response',
  'conversation',
  'idempotency',
  'streaming',
]

/** One that says nothing where a plain turn is refused. */
const isOfChat = ({ outlook, subjects }: PlannedScenario): boolean =>
  outlook === null && subjects.some((one) => one in areaOf && chatAreas.includes(areaOf[one as ClauseId]))

/**
 * Returns a warning for a person, or null. Throws TargetUnreachable where nothing answers, and a ConfigurationError
 * where the address redirects, where not even a plain turn is taken and the key is refused or scenarios of chat are
 * planned, or where the session that scenarios need is not signed in.
 */
async function checkBeforeRun(
  { scenarios }: Planned,
  target: Target,
  runContext: RunContext,
): Promise<string | null> {
  const requestDefaults = runContext.requestDefaults('preflight')
  const mismatch = await preflight(target, runContext.wire, requestDefaults)
  if (mismatch && (mismatch.status === 401 || scenarios.some(isOfChat)))
    await takesTurn(mismatch, target, runContext, requestDefaults)
  if (scenarios.some(({ outlook, scenario }) => outlook === null && scenario.needs?.session === true))
    await isSignedIn(target, runContext, requestDefaults)
  return mismatch && mismatch.words
}

/** Answered as the request before it was, nothing of chat can be judged: what was given is wrong, not the service. */
async function takesTurn(
  before: Doubt,
  target: Target,
  { wire }: RunContext,
  requestDefaults: RequestDefaults,
): Promise<void> {
  const self = ordinary(target)
  const setting = plainSetting(target.agents.plain, self)
  const message = target.fixtures.messages.plain ?? requestDefaults.source.text()
  const turn = doubtOf(
    await wire.send(chatRequest('plain turn', { message }, setting, requestDefaults)),
    target,
  )
  if (!turn || (turn.status !== before.status && !(turn.foreign && before.foreign))) return
  const isRouted = turn.status === 404 && (await refusesNobody(target, wire, requestDefaults))
  throw new ConfigurationError(isRouted ? noSuchAgent(target) : turn.words)
}

/** A route that asks for a key is there, so the base address is right. */
async function refusesNobody(target: Target, wire: Wire, requestDefaults: RequestDefaults): Promise<boolean> {
  const { response } = await sendProbe('no key', target, wire, requestDefaults, null)
  return response?.status === 401
}

/** Listing webhooks costs nothing; 401 says that nobody is signed in, and nothing else does. */
async function isSignedIn(
  target: Target,
  { wire }: RunContext,
  requestDefaults: RequestDefaults,
): Promise<void> {
  const { session, agents } = target
  const setting = plainSetting(agents.plain)
  const signedIn = session ? { ...setting, session: session.headers } : setting
  const { response } = await wire.send(manageRequest('session', {}, signedIn, requestDefaults), { turns: 0 })
  if (response?.status === 401)
    throw new ConfigurationError(
      `before the run, listing the webhooks of the agent ${agents.plain} with the session was answered 401: sign in again, and check session.headers`,
    )
}

/** Those that can run beside others: they mostly wait for deliveries on a clock that is not ours. */
export const waitingOf = (all: readonly PlannedScenario[], { timing }: Target): readonly PlannedScenario[] =>
  all.filter(({ scenario: { needs } }) => timing.clock === 'real' && needs?.receiver === true && !needs.alone)

/**
 * It can run while others wait for deliveries: it causes none, and changes nothing that they need. Which operations
 * send events is not stated, so that only reads are among them. The smoke profile always runs first.
 */
const fillsTime = ({ scenario: { needs = {}, cost, profile, rule } }: PlannedScenario): boolean =>
  !rule &&
  profile !== 'smoke' &&
  cost.turns === 0 &&
  (needs.operation === undefined || needs.operation.write === false) &&
  !needs.principal?.with?.includes('knowledge.write') &&
  !(needs.session || needs.states || needs.exclusiveCredits || needs.alone || needs.optIn)

export interface RunOptions extends Omit<SessionOptions, 'scenarios'> {
  scenarios?: Scenarios
}

/** Throws TargetUnreachable and ConfigurationError; any other problem is a finding. */
export async function runSuite(target: Target, options: RunOptions): Promise<Run> {
  const loop = openSession(target, { scenarios: serverScenarios, ...options })
  return completeRun(loop, async () => {
    const { scenarios } = loop.planned
    const last = scenarios.filter(({ scenario }) => scenario.last)
    const rules = scenarios.filter(({ scenario }) => scenario.rule)
    const waiting = waitingOf(scenarios, target)
    const meanwhile = waiting.length > 0 ? scenarios.filter(fillsTime) : []
    const inOrder = async (some: readonly PlannedScenario[]): Promise<void> => {
      for (const one of some) await loop.run(one)
    }
    const later = new Set([...waiting, ...meanwhile, ...last, ...rules])
    await inOrder(scenarios.filter((one) => !later.has(one)))
    const limits = { concurrency: target.receiver.scenariosAtOnce, stopOnError: false }
    const both = await Promise.allSettled([
      inOrder(meanwhile),
      pMap(waiting, (one) => loop.run(one), limits).catch((thrown: AggregateError) => {
        throw thrown.errors[0]
      }),
    ])
    for (const end of both) if (end.status === 'rejected') throw end.reason
    await inOrder([...last, ...rules])
  })
}

/** A run that is driven scenario by scenario. Throws a ConfigurationError if `only` matches nothing. */
export function openSession(target: Target, options: SessionOptions): RunLoop {
  const runContext = startRunContext(target, options)
  const driver = serverDriver(withWays(target, options), options, runContext)
  return openRun(driver, { ...options, clock: runContext.clock })
}

function serverDriver(
  target: Target,
  options: SessionOptions,
  runContext: RunContext,
): RunDriver<AnyScenario> {
  const { scenarios, only = [], shard } = options
  const { governor, journal, recording, late, recorder } = runContext
  const whole = planRun(scenarios, target, only, options)
  const planned = shard === undefined ? whole : shardOf(whole, shard, target)
  const vendor = createVendorWatch(target, journal)
  const sawTurns = createTurnWatch(target, journal)
  let inbound: InboundReceiver | null = null
  let warning: string | null = null
  const attempt = createAttempts(target, options, runContext, () => inbound)
  const inLane = createLanes()
  const whileThere = watchOf(planned, target, runContext, options.signal)

  return {
    planned,
    opening: openingFor(target, options, runContext),
    scenarios,
    policy: target.policy,
    dialect: target.dialect,
    recording,
    used: () => governor.used(),
    warning: () => warning,
    late,
    abort: () => void recorder.close(),
    async begin() {
      if (planned.scenarios.some(needsDelivery))
        inbound = await openInboundReceiver(target.receiver, { ...runContext, access: target })
      warning = await checkBeforeRun(planned, target, runContext)
      await recorder.warm(2)
    },
    async execute(one) {
      const { needs } = one.scenario
      if (one.outlook) return one.outlook
      const trouble = needs?.receiver ? await inbound?.trouble() : null
      if (trouble) return notExercised('receiver-unreachable', trouble).ending
      const event = needs?.event && chooseEvent(needs, target, choosingFor(one.id, target, options))
      // Waiting for the rate may end a scenario before it begins.
      const work = () => whileThere(() => attempt(one)).then(sawTurns, endingOf)
      return typeof event === 'string' ? inLane(laneOfEvent(event, target), work) : work()
    },
    affords: affordedBy(planned, target, governor),
    // A planned scenario shows whether deliveries carry the same vendor as responses.
    review(rest) {
      const seen = vendor.other()
      if (seen === null) return null
      const delivering = seen.delivered ? undefined : rest.find(deliversAtOnce)
      if (delivering) return delivering
      throw new ConfigurationError(vendorAdvice(seen))
    },
    async close() {
      await recorder.close()
      await inbound?.close()
    },
  }
}

function affordedBy(
  { plan }: Planned,
  target: Target,
  governor: RunContext['governor'],
): NonNullable<RunDriver<AnyScenario>['affords']> {
  return ({ scenario }, rest, within) => {
    if (within === 'limits' && !isRepeatable(scenario, target)) return false
    const most = within === 'plan' ? plan.ceiling : target.budgets
    const [now, later, { cost }] = [governor.used(), ceilingOf(rest, target), scenario]
    return (['requests', 'turns'] as const).every(
      (name) => now[name] + later[name] + cost[name] <= most[name],
    )
  }
}

function openingFor(
  target: Target,
  { scenarios, only = [], seed, origin }: SessionOptions,
  { runId, version, startedAt }: RunContext,
) {
  const { profile, optIn } = target
  const about = { id: runId, seed, profile, only, optIn, startedAt, ...(origin && { origin }) }
  return openingOf(about, { ...target, keys: originsOf(target) }, version, scenarios)
}

function watchOf(
  { scenarios }: Planned,
  target: Target,
  context: RunContext,
  signal: AbortSignal | undefined,
) {
  return createTargetWatch({
    journal: context.journal,
    scenarios: scenarios.filter(({ outlook, scenario }) => outlook === null && !scenario.rule).length,
    probe: () => sendProbe('probe of the target', target, context.wire, context.requestDefaults('preflight')),
    pause: (ms) => context.waiting.sleep(ms, signal),
  })
}

/** Scenarios of one lane run one after the other, or each would get deliveries that belong to another. */
function createLanes() {
  const lanes = new Map<string, Promise<unknown>>()
  return <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const next = (lanes.get(name) ?? Promise.resolve()).then(work, work)
    lanes.set(name, next)
    return next
  }
}

const needsDelivery = ({ scenario, outlook }: PlannedScenario): boolean =>
  outlook === null && scenario.needs?.receiver === true

const deliversAtOnce = (one: PlannedScenario): boolean => {
  const { needs } = one.scenario
  return needsDelivery(one) && needs?.states === undefined && needs?.event === undefined
}

type Attempt = (one: PlannedScenario) => Promise<ScenarioExecution | Ending>

/** A second attempt at a scenario continues with the fresh values of the first. */
function createAttempts(
  target: Target,
  options: SessionOptions,
  runContext: RunContext,
  inbound: () => InboundReceiver | null,
): Attempt {
  const { signal, allowExec, ask, onCreate, onGone } = options
  const { control, clock, governor, ring } = runContext
  const { dialect } = target
  const defaultsById = new Map<string, RequestDefaults>()
  return async ({ id, scenario }) => {
    const requestDefaults = defaultsById.get(id) ?? runContext.requestDefaults(id)
    defaultsById.set(id, requestDefaults)
    const spent = governor.spent()
    if (spent !== null) return notExercised('budget-exhausted', spent).ending
    const settled = settle(scenario, target, requestDefaults.source.text(), choosingFor(id, target, options))
    if (settled instanceof ScenarioEnded) return settled.ending
    const requests = Math.min(scenario.cost.inOneGo ?? pacedRequests(scenario), mostInAdvance)
    const setting = withKeys(settled, ring, requests)
    const self = setting.cast['self']
    if (self && !self.sacrificial && requests > 0) await governor.ready(laneOf(self), requests)
    if (signal?.aborted) return notExercised('interrupted', 'not reached before the run was stopped').ending
    const own = withWays(target, options, setting.agent)
    const providers = createStateProviders(own, {
      control,
      clock,
      signal,
      allowExec,
      ask,
      onCreate,
      onGone,
    })
    return runScenario(id, scenario, setting, {
      ...runContext,
      clock: runContext.waiting,
      target: own,
      signal,
      inbound: inbound(),
      providers,
      requestDefaults,
      dialect,
      ledger: { onCreate, onGone },
    })
  }
}

/**
 * More than any scenario sends while a turn of it is in flight. One with more sends them in independent parts, mostly
 * fewer than its cost allows: to wait for all of them would leave most of a minute unused.
 */
const mostInAdvance = 20
