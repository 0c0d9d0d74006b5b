import { beforeAll, describe, expect, test } from 'vitest'
import { simulatorTarget } from '../../cli/simulator-target.ts'
import { createSimulator } from '../../simulator/index.ts'
import { rejudge, serverScenarios, type Run, type Target } from '../../suites/index.ts'
import { runServerUnredacted } from '../../suites/runner/drivers/server.ts'
import { secretsOf } from '../../suites/config/secret-values.ts'
import { readJournal, writeJournal } from '../../reports/bundle/journal/codec.ts'
import { createRedactor } from '../../reports/bundle/redaction/redaction.ts'

interface ScenarioExecution {
  run: Run
  target: Target
}

async function execution(): Promise<ScenarioExecution> {
  const simulator = await createSimulator()
  const target = simulatorTarget(simulator)
  try {
    return { run: await runServerUnredacted(target, { seed: 1 }), target }
  } finally {
    await simulator.close()
  }
}

/** What is left of a run on disk. */
function written({ run: { record, journal }, target }: ScenarioExecution, disclose: boolean): Run {
  const redact = createRedactor(secretsOf(target), { disclose })
  const left = journal.map((exchange) => redact.exchange(exchange))
  return {
    record: JSON.parse(redact.text(JSON.stringify(record))),
    journal: readJournal(writeJournal(left)),
  }
}

/** What is found in a run as it stands on disk, judged again; and which verdicts were kept. */
function again({ run, target }: ScenarioExecution): {
  findings: Run['record']['findings']
  kept: readonly string[]
} {
  const kept: string[] = []
  const { findings } = rejudge(run, serverScenarios, target, {
    onKept: (check) => void kept.push(check),
  })
  return { findings, kept }
}

describe('a whole run', () => {
  let whole: ScenarioExecution
  beforeAll(async () => {
    whole = await execution()
  })

  test('is judged again as it was where the secrets of webhooks were withheld', () => {
    const run = written(whole, false)
    const { findings, kept } = again({ ...whole, run })

    expect(findings).toEqual(run.record.findings)
    expect(kept).toContain('rules/deliveries/SIGN-VALUE')
    expect(kept.length).toBeGreaterThan(5)
    expect(kept.length).toBeLessThan(run.record.findings.length / 10)
  })

  test('is judged again as it was where they were disclosed, and from the evidence alone', () => {
    const run = written(whole, true)
    expect(again({ ...whole, run })).toEqual({ findings: run.record.findings, kept: [] })
  })
})
