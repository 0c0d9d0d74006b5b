/** Replays a counterexample against a target and reports whether it still fails. */
import { TargetUnreachable } from '../runner/plan/preflight.ts'
import type { Scenarios } from '../runner/plan/plan.ts'
import type { AnyScenario } from '../scenario/scenario.ts'
import type { SessionOptions } from '../runner/run-driver.ts'
import { openSession } from '../runner/drivers/server.ts'
import { emptyPolicy } from '../policy/policy.ts'
import type { Finding } from '../../bundle/record.ts'
import { ConfigurationError, type Target } from '../config/target.ts'
import type { Exchange } from '../wire/exchange.ts'
import { flatSteps, type Counterexample } from './file.ts'
import { withSteps } from './recorded-steps.ts'

export interface CounterexampleReplayOptions extends Omit<SessionOptions, 'seed' | 'scenarios' | 'only'> {
  scenarios: Scenarios
  /** How often it is replayed. Default: 5 where requests are sent at once or it did not always fail, else once. */
  times?: number
}

export interface Replayed {
  /** `FAILS` if it failed once, `FIXED` if it passed and never failed. */
  verdict: 'FIXED' | 'FAILS' | 'CANNOT JUDGE'
  failed: number
  passed: number
  times: number
  expected?: string
  got?: string
  /** Why it could not be judged, of the first time that it could not. */
  because?: string
  unreachable: boolean
}

/** Throws what a session throws that is neither the target nor its configuration. */
export async function replay(
  file: Counterexample,
  target: Target,
  { times = usualTimes(file), ...options }: CounterexampleReplayOptions,
): Promise<Replayed> {
  const replayed: Replayed = { verdict: 'CANNOT JUDGE', failed: 0, passed: 0, times, unreachable: false }
  try {
    const attempts = await runAttempts(file, target, { ...options, times })
    return attempts.reduce((sum, once) => {
      const because = whyNot(once.finding, once.exchanges, file)
      if (because !== null) return { because, ...sum }
      const { verdict, expected, got } = once.finding
      if (verdict === 'pass')
        return { ...sum, passed: sum.passed + 1, verdict: sum.failed > 0 ? 'FAILS' : 'FIXED' }
      const shown = { ...(expected === undefined ? {} : { expected }), ...(got === undefined ? {} : { got }) }
      return { ...shown, ...sum, failed: sum.failed + 1, verdict: 'FAILS' }
    }, replayed)
  } catch (thrown) {
    if (thrown instanceof TargetUnreachable)
      return { ...replayed, because: thrown.message, unreachable: true }
    if (thrown instanceof ConfigurationError) return { ...replayed, because: thrown.message }
    throw thrown
  }
}

function usualTimes({ replay: way, steps, found: { reproduced } }: Counterexample): number {
  // A scenario with many random sequences is many replays already.
  if (way === 'scenario' && reproduced !== null) return 1
  const shaky = reproduced !== null && reproduced.times < reproduced.of
  return shaky || steps.some((step) => 'atOnce' in step) ? 5 : 1
}

interface Once {
  finding: Finding
  exchanges: readonly Exchange[]
}

/**
 * In one session, which keeps the rate of the target. The policy of a target says what it is forgiven, and its
 * profile what is usually asked: neither matters here.
 */
async function runAttempts(
  file: Counterexample,
  target: Target,
  { scenarios, times, ...options }: CounterexampleReplayOptions & { times: number },
): Promise<readonly Once[]> {
  const [id, scenario] = scenarioOf(file, scenarios)
  const entry = file.replay === 'steps' ? withSteps(scenario, file) : scenario
  const asked = { ...target, policy: emptyPolicy, profile: 'exhaustive' as const }
  const ids = Array.from({ length: times }, (_, at) => (at === 0 ? id : `${id}#${at + 1}`))
  const session = openSession(asked, {
    ...options,
    seed: file.found.seed,
    scenarios: Object.fromEntries(ids.map((one) => [one, entry])),
    only: ids.map((one) => `${one}/${file.clause.id}`),
  })
  const findings: Finding[] = []
  try {
    await session.begin()
    for (const planned of session.planned.scenarios) {
      findings.push(...(await session.run(planned)))
      // What cannot be exercised here cannot be a moment later.
      if (findings.every(({ verdict }) => verdict === 'not-exercised')) break
    }
  } catch (thrown) {
    await session.end()
    throw thrown
  }
  const { journal } = await session.end()
  return findings.map((finding) => ({
    finding,
    exchanges: journal.filter(({ scenario }) => scenario === finding.scenario),
  }))
}

/** Throws for a check that there is not. */
export function scenarioOf(
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
