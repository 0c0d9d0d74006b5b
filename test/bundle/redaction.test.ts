import { expect, test } from 'vitest'
import { simulatorTarget } from '../../cli/simulator-target.ts'
import { createSimulator } from '../../simulator/index.ts'
import { rejudge, serverScenarios, type Run, type Target } from '../../suites/index.ts'
import { runSuite } from '../../suites/runner/drivers/server.ts'
import { secretsOf } from '../../suites/config/secret-values.ts'
import { readJournal, writeJournal } from '../../bundle/journal/codec.ts'
import { createRedactor } from '../../bundle/redaction/redaction.ts'
import { scenariosOf } from '../rooms.ts'

interface Ran {
  run: Run
  target: Target
}

/** Discloses the secrets of webhooks where these are the scenarios of webhooks alone. */
async function ran(disclose: boolean): Promise<Ran> {
  const simulator = await createSimulator()
  const target = simulatorTarget(simulator)
  try {
    const redactor = createRedactor(secretsOf(target), disclose)
    const scenarios = disclose ? scenariosOf(['webhooks']) : serverScenarios
    return { run: await runSuite(target, { seed: 1, redactor, scenarios }), target }
  } finally {
    await simulator.close()
  }
}

/** What is found in a run as it stands on disk. */
function again({ run: { record, journal }, target }: Ran): Run['record']['findings'] {
  const read = { record: JSON.parse(JSON.stringify(record)), journal: readJournal(writeJournal(journal)) }
  return rejudge(read, serverScenarios, target).findings
}

test.for([false, true])(
  'a whole run is judged again as it was; secrets of webhooks disclosed: %s',
  async (disclose) => {
    const one = await ran(disclose)
    expect(writeJournal(one.run.journal).includes('[[webhook-secret:')).toBe(!disclose)
    expect(again(one)).toEqual(JSON.parse(JSON.stringify(one.run.record.findings)))
    const verdictOf = (wanted: string) =>
      one.run.record.findings.find(({ check }) => check === wanted)?.verdict
    expect(verdictOf('rules/deliveries/SIGN-VALUE')).toBe('pass')
  },
)
