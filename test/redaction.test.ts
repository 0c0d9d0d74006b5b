import { beforeAll, describe, expect, test } from 'vitest'
import { simulatorTarget } from '../cli/simulator-target.ts'
import { createSimulator, type SimulatorOptions } from '../simulator/index.ts'
import { rejudge, runSuite, serverScenarios, type Run, type Target } from '../suites/index.ts'
import { secretsOf } from '../suites/target/secret-values.ts'
import { readJournal, writeJournal } from '../suites/wire/journal.ts'
import { createRedactor } from '../suites/wire/redaction.ts'

interface Played {
  run: Run
  target: Target
}

async function played(options: SimulatorOptions, only?: readonly string[]): Promise<Played> {
  const simulator = await createSimulator(options)
  const target = simulatorTarget(simulator)
  try {
    return { run: await runSuite(target, { seed: 1, ...(only ? { only } : {}) }), target }
  } finally {
    await simulator.close()
  }
}

/** What is left of a run on disk. */
function written({ run: { record, journal }, target }: Played, disclose: boolean): Run {
  const redact = createRedactor(secretsOf(target), { disclose })
  const left = journal.map((exchange) => redact.exchange(exchange))
  return {
    record: JSON.parse(redact.text(JSON.stringify(record))),
    journal: readJournal(writeJournal(left)),
  }
}

const verdicts = ({ record }: Pick<Run, 'record'>) =>
  record.findings.map(({ check, verdict, reason }) => `${check}: ${verdict} ${reason ?? ''}`)

/** The verdicts of a run as it stands on disk, judged again; and which of them were kept. */
function again({ run, target }: Played): { verdicts: readonly string[]; kept: readonly string[] } {
  const kept: string[] = []
  const record = rejudge(run, serverScenarios, target, (check) => void kept.push(check))
  return { verdicts: verdicts({ record }), kept }
}

describe('a whole run', () => {
  let whole: Played
  beforeAll(async () => {
    whole = await played({})
  }, 60_000)

  test('is judged again as it was where the secrets of webhooks were withheld', () => {
    const run = written(whole, false)
    const { verdicts: now, kept } = again({ ...whole, run })

    expect(now).toEqual(verdicts(run))
    expect(kept).toContain('delivery/test/SIGN-VALUE')
    expect(kept.length).toBeGreaterThan(10)
    expect(kept.length).toBeLessThan(run.record.findings.length / 10)
  })

  test('is judged again as it was where they were disclosed, and from the evidence alone', () => {
    const run = written(whole, true)
    expect(again({ ...whole, run })).toEqual({ verdicts: verdicts(run), kept: [] })
  })
})
