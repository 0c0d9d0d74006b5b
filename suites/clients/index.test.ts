import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { areas, clauses, clientAreas, commandLineAreas, type ClauseId } from '../../spec/index.ts'
import { clientScenarios, clientScenariosFor } from './index.ts'
import { uncoveredFor } from '../scenarios.ts'
import { uncoveredOfClients } from './uncovered.ts'

const scenarios = Object.values(clientScenarios)
const judged = new Set(scenarios.flatMap(({ judge }) => Object.keys(judge)))
const own = [...clientAreas, ...commandLineAreas].flatMap((area) => Object.keys(areas[area]) as ClauseId[])

describe('the suite for clients', () => {
  test('has a check for every clause of clients, or a written reason why not', () => {
    expect(own.filter((id) => judged.has(id) === id in uncoveredOfClients)).toEqual([])
  })

  test('gives a reason only for what does not show from outside', () => {
    for (const id of Object.keys(uncoveredOfClients) as ClauseId[])
      expect([id, clauses[id].observe]).toEqual([id, 'inside'])
  })

  test('checks only clauses that clients keep', () => {
    const actors = new Set([...judged].map((id) => clauses[id as ClauseId].actor))
    expect([...actors].filter((actor) => actor !== 'library' && actor !== 'command-line')).toEqual([])
  })

  test('includes every file that exports scenarios', async () => {
    const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    const sources = files.filter((file) => file.endsWith('.ts') && !/\.(test|testkit)\.ts$/.test(file))
    const withScenarios = await Promise.all(
      sources.map(async (file) => {
        const exported = (await import(join(import.meta.dirname, file))) as Readonly<Record<string, unknown>>
        return Object.values(exported).some(isScenario) ? [`client-${basename(file, '.ts')}`] : []
      }),
    )
    expect(new Set(withScenarios.flat())).toEqual(
      new Set(Object.keys(clientScenarios).map((id) => id.split('/')[0])),
    )
  })

  test('asks of each kind of client something, and of a command line in words of its own alone', () => {
    const asked = (as: Parameters<typeof clientScenariosFor>[0]): readonly string[] => [
      ...new Set(
        Object.values(clientScenariosFor(as)).flatMap(({ steps }) =>
          Object.values(steps).map(({ task }) => (task.do === 'command' ? 'command' : 'task')),
        ),
      ),
    ]
    expect([asked('client'), asked('library'), asked('command-line')]).toEqual([
      ['task'],
      ['task'],
      ['command'],
    ])
  })

  test('gives the reason for each clause that a run leaves out', () => {
    for (const as of ['client', 'library', 'command-line'] as const)
      expect(
        uncoveredFor({ target: { kind: 'client', client: { as, can: [] } } }).filter(
          ({ why }) => why === 'no scenario covers it',
        ),
      ).toEqual([])
  })

  test('begins each scenario with a step in which a client has to do something', () => {
    const silent = Object.entries(clientScenarios).filter(
      ([, { steps }]) => Object.values(steps)[0]?.maySendNothing,
    )
    expect(silent.map(([id]) => id)).toEqual([])
  })
})

function isScenario(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'steps' in value && 'clientKind' in value
}
