import { describe, expect, test } from 'vitest'
import type { Fault } from '../simulator/deviations/deviation.ts'
import { faults, type FaultId } from '../simulator/index.ts'
import { ownWays } from '../suites/webhooks/hosts.ts'
import { line, redClauses, simulatedRun } from './simulated-run.ts'

const rows: Readonly<Record<FaultId, Fault>> = faults
const faultIds = Object.keys(faults) as FaultId[]
const hasPrivateAddress = ownWays().some(({ list }) => list === 'private')
const shows = (id: FaultId): boolean => rows[id].machine === undefined || hasPrivateAddress

describe('a fault turns exactly its named checks red', () => {
  test.concurrent.for(faultIds)('%s', async (id, { skip }) => {
    skip(!shows(id), 'this machine has no private address')
    const run = await simulatedRun({ faults: [id] })
    const why = run.record.findings
      .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
      .map(line)
    expect(redClauses(run), why.join('\n')).toEqual([...rows[id].breaks].sort())
  })
})
