/** The suite on a server that is not ours: whatever it says of it has to follow from the contract alone. */
import { describe, expect, test } from 'vitest'
import type { ClauseId } from '../spec/index.ts'
import { chatScenarios, runSuite, type Run, type RunOptions, type Target } from '../suites/index.ts'
import { hasPython, startOtherServer } from './other-server/start.ts'
import { redClauses, troubles } from './simulated-run.ts'

if (!hasPython) console.warn('skipped: the other server needs python3, which is not on this machine')

async function runOther(
  options: Partial<RunOptions> & { fault?: string; profile?: Target['profile'] },
): Promise<Run> {
  const { fault, profile = 'standard', ...run } = options
  const server = await startOtherServer(fault)
  try {
    // The other server chats, and has nothing else.
    return await runSuite({ ...server.target, profile }, { seed: 1, scenarios: chatScenarios, ...run })
  } finally {
    await server.stop()
  }
}

describe.skipIf(!hasPython)('a server that is not ours', () => {
  test.concurrent.for([
    ['standard', 1],
    ['exhaustive', 2],
  ] as const)('conforms in the %s profile with seed %i', async ([profile, seed]) => {
    const run = await runOther({ profile, seed })
    expect(troubles(run)).toEqual([])
    expect(run.record.conformance).toBe('conformant')
    expect(run.record.exitCode).toBe(0)
  })
})

/** What is planted in it, and the clauses that have to be found broken. Others may be: one defect shows in many. */
const planted: Readonly<Record<string, readonly ClauseId[]>> = {
  'replay-runs-again': ['IDEM-REPLAY-AGAIN', 'IDEM-REPLAY-FREE', 'IDEM-STREAM-REPLAY-FREE'],
  'replay-unmarked': ['IDEM-REPLAY-HEADER', 'IDEM-STREAM-REPLAY-HEADER'],
  'claim-unlocked': ['IDEM-RACE-ONE-RUN', 'IDEM-RACE-STREAM', 'IDEM-RACE-CHARGE'],
  'conflict-by-length': ['IDEM-CONFLICT-LENGTH'],
  'replay-done-twice': ['IDEM-STREAM-REPLAY-ONE-DONE'],
  'abandoned-turn-charged': ['IDEM-ABORT-CHARGE'],
  'stale-button-accepted': ['FLOW-STALE-STATUS', 'FLOW-STALE-CODE'],
  'message-limit-in-bytes': ['REQ-MESSAGE-MAX'],
  'rate-shared': ['RATE-PER-KEY'],
  'unknown-key-forbidden': ['AUTH-MISSING', 'AUTH-UNKNOWN', 'AUTH-SCHEME', 'AUTH-EMPTY'],
  'paused-turn-answered': ['PAUSE-RESPONSE-EMPTY', 'PAUSE-STREAM-DONE'],
  'stream-breaks-lines': ['SSE-DATA-JSON'],
}

describe.skipIf(!hasPython)('a defect planted in it is found', () => {
  test.concurrent.for(Object.entries(planted))('%s', async ([fault, clauses]) => {
    const run = await runOther({ fault, only: clauses })
    expect(redClauses(run)).toEqual([...clauses].sort())
    expect(run.record.conformance).toBe('nonconformant')
  })
})
