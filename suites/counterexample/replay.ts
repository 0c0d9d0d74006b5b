/** Tells a counterexample again against a target, and says what has become of the failure. */
import { TargetUnreachable } from '../engine/preflight.ts'
import type { Scenarios } from '../engine/plan.ts'
import type { AnyScenario } from '../engine/scenario.ts'
import { openSession, type SessionOptions } from '../engine/session.ts'
import { emptyPolicy } from '../policy/policy.ts'
import type { Finding } from '../record.ts'
import { ConfigurationError } from '../target/configuration-error.ts'
import type { Target } from '../target/target.ts'
import type { Exchange } from '../wire/exchange.ts'
import { flatSteps, type Counterexample } from './file.ts'
import { withSteps } from './steps-told.ts'

export interface ReplayOptions extends Omit<SessionOptions, 'seed' | 'scenarios' | 'only'> {
  scenarios: Scenarios
  /** How often it is told. Default: 5 where requests are sent at once or it did not always fail, else once. */
  times?: number
}

export interface Replayed {
  /** `FAILS` if it failed once, `FIXED` if it passed and never failed. */
  verdict: 'FIXED' | 'FAILS' | 'CANNOT JUDGE'
  failed: number
  passed: number
  times: number
  /** Of the first time that it failed. */
  expected?: string
  got?: string
  /** Why it could not be judged, of the first time that it could not. */
  because?: string
  /** Nothing answers at all. */
  unreachable: boolean
  /** Everything sent and received. */
  exchanges: readonly Exchange[]
}

type Once = { finding: Finding; exchanges: readonly Exchange[] } | { because: string; unreachable: boolean }

export async function replay(
  file: Counterexample,
  target: Target,
  { times = usualTimes(file), ...options }: ReplayOptions,
): Promise<Replayed> {
  const outcome = { failed: 0, passed: 0, times, unreachable: false }
  const exchanges: Exchange[] = []
  const found: Pick<Replayed, 'expected' | 'got' | 'because'> = {}
  for (let time = 0; time < times && !outcome.unreachable && !options.signal?.aborted; time++) {
    const once = await tellOnce(file, target, options)
    if ('because' in once) {
      found.because ??= once.because
      outcome.unreachable = once.unreachable
      if (outcome.passed + outcome.failed === 0) break
      continue
    }
    exchanges.push(...once.exchanges)
    const { verdict, expected, got } = once.finding
    const why = whyNot(once.finding, once.exchanges, file)
    if (why !== null) found.because ??= why
    else if (verdict === 'pass') outcome.passed += 1
    else {
      outcome.failed += 1
      if (expected !== undefined) found.expected ??= expected
      if (got !== undefined) found.got ??= got
    }
  }
  const { failed, passed } = outcome
  const verdict = failed > 0 ? 'FAILS' : passed > 0 ? 'FIXED' : 'CANNOT JUDGE'
  return { ...outcome, ...found, verdict, exchanges }
}

function usualTimes({ steps, found: { reproduced } }: Counterexample): number {
  const shaky = reproduced !== null && reproduced.times < reproduced.of
  return shaky || steps.some((step) => 'atOnce' in step) ? 5 : 1
}

/** The policy of a target says what it is forgiven, and its profile what is usually asked: neither matters here. */
async function tellOnce(
  file: Counterexample,
  target: Target,
  { scenarios, ...options }: Omit<ReplayOptions, 'times'>,
): Promise<Once> {
  const [id, scenario] = storyOf(file, scenarios)
  const story = file.replay === 'steps' ? withSteps(scenario, file) : scenario
  const asked = { ...target, policy: emptyPolicy, profile: 'exhaustive' as const }
  try {
    const { seed } = file.found
    const session = openSession(asked, { ...options, seed, scenarios: { [id]: story }, only: [file.check] })
    await session.begin().catch(async (thrown: unknown) => {
      await session.end()
      throw thrown
    })
    for (const planned of session.planned.stories) await session.tell(planned)
    const { record, journal } = await session.end()
    const finding = record.findings.find(({ check }) => check === file.check)
    if (!finding) throw new Error(`${file.check} was told and has no finding`)
    return { finding, exchanges: journal.filter((exchange) => exchange.scenario === id) }
  } catch (thrown) {
    if (thrown instanceof TargetUnreachable) return { because: thrown.message, unreachable: true }
    if (thrown instanceof ConfigurationError) return { because: thrown.message, unreachable: false }
    throw thrown
  }
}

/** Throws for a check that there is not. */
export function storyOf(
  { check, clause }: Pick<Counterexample, 'check' | 'clause'>,
  scenarios: Scenarios,
): readonly [id: string, scenario: AnyScenario] {
  const id = check.slice(0, -clause.id.length - 1)
  const scenario = scenarios[id]
  if (scenario && clause.id in scenario.judge && check === `${id}/${clause.id}`) return [id, scenario]
  throw new ConfigurationError(
    `the check ${check} is none of this version; replay the file with the version that wrote it`,
  )
}

const red: readonly Finding['verdict'][] = ['fail', 'warn', 'pass']

/** Why what was told says nothing about the failure, or null. */
function whyNot(finding: Finding, exchanges: readonly Exchange[], file: Counterexample): string | null {
  const refused = refusedThroughout(exchanges, file)
  if (refused !== null) return refused
  if (red.includes(finding.verdict)) return null
  const words = [finding.verdict, finding.reason, finding.detail].filter((part) => part !== undefined)
  return words.join(': ')
}

/** A key that is not accepted, or an agent that is not there, makes every judge see something else. */
function refusedThroughout(exchanges: readonly Exchange[], file: Counterexample): string | null {
  const answers = exchanges
    .filter(({ request, response, inbound }) => request.principal !== null && response && !inbound)
    .map(({ response }) => response?.status ?? 0)
  const [status] = answers
  if (status === undefined || ![401, 403, 404].includes(status)) return null
  const before = flatSteps(file).filter(({ as }) => as !== null)
  if (answers.some((other) => other !== status) || before.every(({ was }) => was === status)) return null
  return `every request with a key was answered ${status}; check the key${status === 401 ? '' : ' and the agent'}`
}
