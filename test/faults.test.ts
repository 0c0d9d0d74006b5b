import { describe, expect, test } from 'vitest'
import { faults, type FaultId } from '../simulator/index.ts'
import { line, redClauses, simulatedRun } from './simulated-run.ts'

const faultIds = Object.keys(faults) as FaultId[]

describe('a fault turns exactly its named checks red', () => {
  test.concurrent.for(faultIds)('%s', async (id) => {
    const run = await simulatedRun({ faults: [id] })
    const why = run.record.findings
      .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
      .map(line)
    expect(redClauses(run), why.join('\n')).toEqual([...faults[id].breaks].sort())
  })
})
