import { describe, expect, test } from 'vitest'
import type { Fault } from '../simulator/deviations/deviation.ts'
import { faults, type FaultId } from '../simulator/index.ts'
import type { Run } from '../suites/index.ts'
import { ownWays } from '../suites/webhooks/hosts.ts'
import { roomIds, roomsOf, storiesOf } from './rooms.ts'
import { line, redClauses, simulatedRun } from './simulated-run.ts'

const rows: Readonly<Record<FaultId, Fault>> = faults
const faultIds = Object.keys(faults) as FaultId[]
const hasPrivateAddress = ownWays().some(({ list }) => list === 'private')
const shows = (id: FaultId): boolean => rows[id].machine === undefined || hasPrivateAddress

function why(run: Run): string {
  const red = run.record.findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
  return red.map(line).join('\n')
}

describe('a fault turns exactly its named checks red', () => {
  test.concurrent.for(faultIds)('%s', async (id, { skip }) => {
    skip(!shows(id), 'this machine has no private address')
    const scenarios = storiesOf(roomsOf(rows[id].breaks))
    const run = await simulatedRun({ faults: [id] }, { scenarios })
    expect(redClauses(run), why(run)).toEqual([...rows[id].breaks].sort())
  })
})

/** So many at once: enough to be quick, few enough that one hardly hides another. */
const batch = 8

// What a fault does to the parts of the service that it is not about is seen with others of its kind together.
describe('the faults of one part of the service leave the others alone', () => {
  const batches = roomIds.flatMap((room) => {
    const own = faultIds.filter((id) => roomsOf(rows[id].breaks).join(' ') === room)
    const count = Math.ceil(own.length / batch)
    return Array.from({ length: count }, (_, at) => [room, own.slice(at * batch, (at + 1) * batch)] as const)
  })

  test.concurrent.for(batches)('%s: %s', async ([room, ids]) => {
    const scenarios = storiesOf(roomIds.filter((other) => other !== room))
    const run = await simulatedRun({ faults: ids }, { scenarios })
    expect(redClauses(run), why(run)).toEqual([])
  })
})
