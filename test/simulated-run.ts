import { simulatorTarget, skippingClock } from '../cli/simulator-target.ts'
import { createSimulator, type SimulatorOptions } from '../simulator/index.ts'
import type { ClauseId, GapId } from '../spec/index.ts'
import type { Finding, Run, RunOptions, Target } from '../suites/index.ts'
import type { Dialect } from '../suites/config/dialect.ts'
import { judgeScenario } from '../suites/runner/outcome/judge.ts'
import { trafficScenarios } from '../suites/traffic/rules.ts'
import { trafficScenario } from '../suites/traffic/service.ts'
import { runSuite } from '../suites/runner/drivers/server.ts'

/** Starts a simulator, runs the whole suite against it over HTTP, and closes it. */
export async function simulatedRun(
  options: SimulatorOptions,
  run: Partial<RunOptions> = {},
  change: (target: Target) => Target = (target) => target,
): Promise<Run> {
  // A run with a clock of its own needs a simulator with the time of the machine.
  const { machine, clock } = run.clock ? { clock: run.clock } : skippingClock()
  const simulator = await createSimulator({ ...options, ...(machine && { machine }) })
  try {
    return await runSuite(change(simulatorTarget(simulator)), { seed: 1, ...run, clock })
  } finally {
    await simulator.close()
  }
}

/**
 * What rules over traffic say against the service, of a run of ours: the suite is no well-behaved client, moves
 * its clock, and uses up credits. */
export function violationsInTraffic(
  { journal, record: { target } }: Run,
  dialect: Dialect = {},
): readonly string[] {
  const exchanges = journal
    .map((one) => ({
      ...one,
      scenario: trafficScenario,
      ...(target.identifiers && { identifiers: target.identifiers }),
    }))
    .toSorted((one, other) => one.sentAt - other.sentAt)
  const whole = { exchanges, notes: {}, ending: null, crash: null, states: [], stuck: [] }
  return Object.entries(trafficScenarios)
    .filter(([id, { needs }]) => !/^traffic\/(?:client-|rate)/.test(id) && !needs?.exclusiveCredits)
    .flatMap(([id, rule]) => judgeScenario(id, rule, { scenario: id, ...whole }, dialect))
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'error')
    .map(line)
}

const untroubled: readonly Finding['verdict'][] = ['pass', 'observed', 'not-applicable']

/** Findings that need a look, as short lines for a person to read. */
export function troubles(run: Run): readonly string[] {
  return run.record.findings
    .filter(
      (finding) =>
        !untroubled.includes(finding.verdict) && finding.reason !== 'never-seen' && !isOfBusyMachine(finding),
    )
    .map(line)
}

/**
 * On a machine that is busy with other tests, a turn that is slow on purpose may be over before it is certain that
 * something came while it ran. No clause rests on that alone, only what is observed.
 */
function isOfBusyMachine({ verdict, level, detail = '' }: Finding): boolean {
  return (
    verdict === 'inconclusive' &&
    level === 'silent' &&
    /^the turn (?:was too short|of \d+ ms had ended)/.test(detail)
  )
}

/** The runs without the checks that one of them has no verdict about for want of time. */
export function withoutBusyMachine(...runs: readonly Run[]): readonly Run[] {
  const missed = new Set(
    runs.flatMap(({ record }) => record.findings.filter(isOfBusyMachine).map(({ check }) => check)),
  )
  return runs.map(({ record, journal }) => {
    const findings = record.findings.filter(({ check }) => !missed.has(check))
    return { record: { ...record, findings }, journal }
  })
}

export function line({ check, verdict, reason, detail, expected, got }: Finding): string {
  return [check, verdict, reason, detail, expected && `expected ${expected}`, got && `got ${got}`]
    .filter((part) => part !== undefined && part !== '')
    .join(': ')
}

/** Clauses with a failed or warned check. */
export function redClauses(run: Run): readonly (ClauseId | GapId)[] {
  const red = run.record.findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
  return [...new Set(red.map((finding) => finding.subject))].sort()
}
