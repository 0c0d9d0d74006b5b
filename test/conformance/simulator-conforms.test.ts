import { describe, expect, test } from 'vitest'
import { defaultInterpretations, gapAreas, identifiersOf } from '../../spec/index.ts'
import { compare } from '../../reports/diff/compare.ts'
import { simulatedRun, troubles, withoutBusyMachine } from '../simulated-run.ts'

// Interpretations about clients change nothing that a server does; those of the older variant have a test of their own.
const gaps = [gapAreas.chat, gapAreas.operations, gapAreas.webhooks].flatMap((area) =>
  Object.entries<{ interpretations: object }>(area),
)

/** The interpretations of a gap that are not the default. */
const othersOf = ([gap, { interpretations }]: (typeof gaps)[number]): readonly string[] =>
  Object.keys(interpretations).filter(
    (interpretation) =>
      !Object.entries(defaultInterpretations).some(([of, is]) => of === gap && is === interpretation),
  )

/** Another interpretation of each gap at once: the one at this place of its list, or that begins it again. */
const readAs = (place: number): Readonly<Record<string, string>> =>
  Object.fromEntries(
    gaps.flatMap((row) => {
      const others = othersOf(row)
      const interpretation = others[place % others.length]
      return interpretation === undefined ? [] : [[row[0], interpretation]]
    }),
  )

const most = Math.max(...gaps.map((row) => othersOf(row).length))
/** Gaps do not hang together: a run for each interpretation alone showed, in eighty more runs, the same. */
const rounds = Array.from({ length: most }, (_, at) => [`every gap in way ${at + 2}`, readAs(at)] as const)

/** Said where a server takes addresses of others and sends nothing there. */
const unseen = /: inconclusive: an endpoint at \S+ was taken, and whether it is delivered to was not seen$/

describe('the simulator conforms', () => {
  test.concurrent('in the longest profile: every check passes, nothing is left out', async () => {
    const run = await simulatedRun({}, {}, (target) => ({ ...target, profile: 'exhaustive' }))
    expect(troubles(run)).toEqual([])
    expect(run.record).toMatchObject({ conformance: 'conformant', exitCode: 0 })
  })

  test.concurrent('and with one seed as with the other: nothing changed from run to run', async () => {
    const runs = [1, 2].map((seed) =>
      simulatedRun({ seed: String(seed) }, { seed }, (target) => ({ ...target, profile: 'smoke' })),
    )
    const [before, after] = withoutBusyMachine(...(await Promise.all(runs)))
    if (!before || !after) throw new Error('there are two runs')
    const { changes, comparable, outcome } = compare(before, after)
    expect(changes).toEqual([])
    expect(comparable.filter(({ same }) => !same)).toEqual([])
    expect(outcome).toBe('same')
  })
})

describe('a conforming server may read the contract in another way, and have a word of its own', () => {
  test('every interpretation that there is', () => {
    const read = (one: readonly [string, string]): string => one.join(' as ')
    const reported = rounds.flatMap(([, interpretations]) => Object.entries(interpretations).map(read))
    const all = gaps.flatMap((row) => othersOf(row).map((interpretation) => read([row[0], interpretation])))
    expect([...new Set(reported)].toSorted()).toEqual(all.toSorted())
  })

  test.concurrent.for(rounds)('%s', async ([, interpretations]) => {
    // Deliveries have to reach the receiver on this machine where development is read as no excuse.
    const run = await simulatedRun({
      interpretations,
      vendor: 'acme-corp',
      targets: { allow: ['localhost'] },
    })
    const taken = 'GAP-BLOCKED-WHEN' in interpretations
    expect(troubles(run).filter((trouble) => !(taken && unseen.test(trouble)))).toEqual([])
    const identifiers = identifiersOf('acme-corp')
    expect(run.record).toMatchObject({ target: { vendor: 'acme-corp', identifiers } })
  })
})
