/** A run against a target that is declared read-only, whatever else is declared. */
import { expect, test } from 'vitest'
import { createSimulator } from '../../simulator/index.ts'
import { simulatorTarget } from '../../cli/simulator-target.ts'
import { runSuite } from '../../suites/runner/drivers/server.ts'

test('a read-only run sends reads and chat turns, and nothing else', async () => {
  const simulator = await createSimulator()
  try {
    const target = simulatorTarget(simulator)
    const { record, journal } = await runSuite({ ...target, readOnly: true }, { seed: 1 })
    const withheld = journal.filter(({ failure }) => failure?.kind === 'budget')
    const sent = journal.filter((one) => !withheld.includes(one))
    const posted = sent.filter(({ request }) => request.method !== 'GET').map(({ request }) => request)
    // Ids of operations that the target file declares as writes.
    const writes = new Set(target.fixtures.operations.filter(({ write }) => write).map(({ id }) => id))
    const operations = posted.flatMap(({ path }) => /operation-executions\/([^/]+)$/.exec(path)?.[1] ?? [])

    expect(writes.size).toBeGreaterThan(0)
    expect(new Set(posted.map(({ method }) => method))).toEqual(new Set(['POST']))
    expect(posted.filter(({ path }) => !/^\/api\/v1\/(chat|operation-executions)\//.test(path))).toEqual([])
    expect(operations.filter((id) => writes.has(decodeURIComponent(id)))).toEqual([])
    // The plan left out what would write: nothing was stopped on its way.
    expect(withheld.map(({ scenario, request }) => `${scenario}: ${request.method} ${request.path}`)).toEqual(
      [],
    )

    const left = record.findings.filter(({ detail }) => detail?.startsWith('the target is read-only'))
    expect(new Set(left.map(({ verdict, reason }) => `${verdict} ${reason}`))).toEqual(
      new Set(['not-exercised opt-in-required']),
    )
    expect(record.findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([])
    expect(record.findings.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(150)
  } finally {
    await simulator.close()
  }
})
