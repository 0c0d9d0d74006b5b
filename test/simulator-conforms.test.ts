import { describe, expect, test } from 'vitest'
import { defaultReadings, gapAreas } from '../spec/index.ts'
import type { SimulatorOptions } from '../simulator/index.ts'
import { compare } from '../reports/diff/index.ts'
import { chatScenarios, type Run, type Target } from '../suites/index.ts'
import { operationScenarios } from '../suites/operations/index.ts'
import { webhookScenarios } from '../suites/webhooks/index.ts'
import { simulatedRun, troubles } from './simulated-run.ts'

// Readings about clients change nothing that a server does; those of the older variant have a test of their own.
const { chat, operations, webhooks } = gapAreas

/** Every reading that is not the default, of every gap of an area. */
const otherReadings = (
  area: Readonly<Record<string, { readings: object }>>,
): readonly (readonly [gap: string, reading: string])[] =>
  Object.entries(area).flatMap(([gap, { readings }]) =>
    Object.keys(readings)
      .filter((reading) => !Object.entries(defaultReadings).some(([of, is]) => of === gap && is === reading))
      .map((reading) => [gap, reading] as const),
  )

/** What a reading needs besides, so that deliveries reach the receiver on this machine. */
const besides: Readonly<Record<string, SimulatorOptions>> = {
  'GAP-DEVELOPMENT': { targets: { allow: ['localhost'] } },
}

/** Said where a reading hides it: addresses of others are offered and nothing is sent there. */
const unseen: Readonly<Record<string, RegExp>> = {
  'GAP-BLOCKED-WHEN':
    /: inconclusive: an endpoint at \S+ was taken, and whether it is delivered to was not seen$/,
}

describe('the simulator conforms', () => {
  const exhaustive = (target: Target): Target => ({ ...target, profile: 'exhaustive' })
  // Many more seeds are told by `npm run power`, in the standard profile.
  const seeds = [1, 2] as const
  const runs = new Map<number, Promise<Run>>()
  /** Played once, whoever asks for it. */
  const runWith = (seed: number): Promise<Run> => {
    const run = runs.get(seed) ?? simulatedRun({ seed: String(seed) }, { seed }, exhaustive)
    runs.set(seed, run)
    return run
  }

  test.concurrent.for(seeds)('with seed %i: every check passes, nothing is left out', async (seed) => {
    const run = await runWith(seed)
    expect(troubles(run)).toEqual([])
    expect(run.record.conformance).toBe('conformant')
    expect(run.record.exitCode).toBe(0)
  })

  test.concurrent('and with one seed as with the other: nothing changed from run to run', async () => {
    const [before, after] = await Promise.all([runWith(1), runWith(2)])
    const { changes, comparable, outcome } = compare(before, after)
    expect(changes).toEqual([])
    expect(comparable.filter(({ same }) => !same)).toEqual([])
    expect(outcome).toBe('same')
  })
})

describe('a conforming server may read the contract in another way', () => {
  test.concurrent.for(otherReadings(chat))('%s as %s', async ([gap, reading]) => {
    // What a reading of chat changes shows in the stories about chat.
    const run = await simulatedRun({ readings: { [gap]: reading } }, { scenarios: chatScenarios })
    expect(troubles(run)).toEqual([])
  })

  test.concurrent.for(otherReadings(operations))('%s as %s', async ([gap, reading]) => {
    const run = await simulatedRun({ readings: { [gap]: reading } }, { scenarios: operationScenarios })
    expect(troubles(run)).toEqual([])
  })

  test.concurrent.for(otherReadings(webhooks))('%s as %s', async ([gap, reading]) => {
    const run = await simulatedRun(
      { ...besides[gap], readings: { [gap]: reading } },
      { scenarios: webhookScenarios },
    )
    expect(troubles(run).filter((trouble) => !unseen[gap]?.test(trouble))).toEqual([])
  })
})
