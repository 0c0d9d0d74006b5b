/** Judges what others sent: a recording, or what passes a proxy. Nothing is sent. */
import { randomUUID } from 'node:crypto'
import type { Run } from '../../../bundle/record.ts'
import { createRedactor } from '../../../bundle/redaction/redaction.ts'
import { createSpool } from '../../../bundle/memory.ts'
import type { Identifiers } from '../../../spec/identifiers.ts'
import type { Budgets, Target } from '../../config/target.ts'
import type { Policy } from '../../policy/policy.ts'
import { creditsAreShared, notExercised } from '../../scenario/ending.ts'
import type { AnyScenario } from '../../scenario/scenario.ts'
import { trafficScenario } from '../../traffic/service.ts'
import { trafficScenarios } from '../../traffic/rules.ts'
import { realClock } from '../../wire/clock.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { createRecording } from '../recording.ts'
import { openingOf } from '../plan/opening.ts'
import { planStandard, type Planned } from '../plan/plan.ts'
import { mustMatch } from '../plan/selection.ts'
import type { RunDriver, RunSettings } from '../run-driver.ts'
import { completeRun, openRun } from '../run-loop.ts'

export interface Traffic extends Pick<Target, 'dialect' | 'policy'> {
  /** Of the file, or of the address that is forwarded to. */
  name: string
  baseUrl: string
  vendor?: string
  identifiers?: Identifiers | undefined
  requestIdHeader?: string
  /** Only this traffic spends credits of the account. */
  exclusiveCredits?: boolean
  /** Secrets of webhooks, to verify signatures with. */
  secrets?: readonly string[]
  /** What a suite sent: its sender is not judged. */
  ofSuite?: ReadonlySet<keyof typeof senders>
  /** Gives each exchange as it ended, with ids and times of the run; resolves when there are no more. */
  from(add: (exchange: Exchange) => Exchange, signal: AbortSignal | undefined): Promise<void>
}

interface TrafficSettings extends RunSettings {
  /** For a file with headers and bodies while the run goes on; absent: they are in memory. */
  folder?: string
}

const nothing: Budgets = { requests: 0, turns: 0, credits: 0, wallSeconds: 0, requestsPerMinute: 1 }

/** Sends nothing by itself, and is judged by the rules alone. */
const recorded: AnyScenario = {
  title: 'what was recorded',
  exchanges: [],
  cost: { requests: 0, turns: 0 },
  async run() {},
  judge: {},
}

export function runTraffic(traffic: Traffic, options: TrafficSettings): Promise<Run> {
  const { clock = realClock() } = options
  const loop = openRun(trafficDriver(traffic, clock.wall(), options), { ...options, clock })
  return completeRun(loop, async () => {
    for (const one of loop.planned.scenarios) await loop.run(one)
  })
}

/** The rules that judge who sent something. */
const senders = {
  requests: ['traffic/client-turns', 'traffic/client-work'],
  deliveries: ['traffic/deliveries', 'traffic/sender'],
} as const
export function planTraffic(
  { policy, exclusiveCredits, ofSuite }: { policy: Policy } & Pick<Traffic, 'exclusiveCredits' | 'ofSuite'>,
  only: readonly string[] = [],
): Planned {
  mustMatch(trafficScenarios, only)
  const shared = notExercised('never-seen', creditsAreShared).ending
  const planned = planStandard(trafficScenarios, {
    policy,
    only,
    outlookOf: ({ needs }) => (needs?.exclusiveCredits && !exclusiveCredits ? shared : null),
  })
  const first = { id: trafficScenario, scenario: recorded, subjects: [], outlook: null }
  const because = 'a suite sent what was recorded, some of it wrong on purpose: its sender is not judged'
  const outlook = notExercised('never-seen', because).ending
  const spared: readonly string[] = [...(ofSuite ?? [])].flatMap((what) => senders[what])
  const scenarios = planned.scenarios.map((one) => (spared.includes(one.id) ? { ...one, outlook } : one))
  return { ...planned, scenarios: [first, ...scenarios] }
}

function trafficDriver(traffic: Traffic, began: string, options: TrafficSettings): RunDriver<AnyScenario> {
  const { seed, only = [], signal, runId = randomUUID(), version = 'development', origin } = options
  const { redactor = createRedactor(), folder } = options
  const run = {
    id: runId,
    seed,
    only,
    startedAt: began,
    ...(origin && { origin }),
    profile: 'standard',
    optIn: [],
  } as const
  const recording = createRecording(
    redactor,
    (exchange) => options.onProgress?.({ is: 'exchange', exchange }),
    {
      secrets: traffic.secrets,
      remembered: folder === undefined ? (exchange) => exchange : createSpool(folder),
    },
  )
  const used = () => {
    const requests = recording.journal.length
    const seconds = recording.journal.reduce((most, { endedAt }) => Math.max(most, endedAt), 0) / 1_000
    return { requests, turns: 0, credits: 0, wallSeconds: Math.ceil(seconds) }
  }
  return {
    planned: planTraffic(traffic, only),
    opening: openingOf(run, { ...traffic, kind: 'traffic', budgets: nothing }, version, trafficScenarios),
    scenarios: trafficScenarios,
    policy: traffic.policy,
    dialect: traffic.dialect,
    recording,
    used,
    warning: () => null,
    async begin() {},
    async execute({ id, outlook }) {
      if (outlook) return outlook
      // As it is judged: a copy of what is remembered would be read whole.
      const { errorCode: codeAt } = traffic.dialect
      const { identifiers } = traffic
      const known = { ...(codeAt !== undefined && { codeAt }), ...(identifiers && { identifiers }) }
      await traffic.from((one) => recording.add({ ...one, ...known }), signal)
      return { scenario: id, exchanges: [], notes: {}, ending: null, crash: null, states: [], stuck: [] }
    },
    async close() {},
  }
}
