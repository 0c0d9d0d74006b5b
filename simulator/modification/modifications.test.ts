import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apartAreas, areaOf, areas, clauses, serverAreas } from '../../spec/index.ts'
import { createSimulator, type Simulator } from '../index.ts'
import { postTurn } from '../testing/project.testkit.ts'
import type { Fault, Variant } from './modification.ts'
import { faults } from '../faults/index.ts'
import { variants } from '../variants/index.ts'

const faultRows: readonly (readonly [string, Fault])[] = Object.entries(faults)
const variantRows: readonly (readonly [string, Variant])[] = Object.entries(variants)
const rows = [...faultRows, ...variantRows]

describe('the tables of modifications', () => {
  test('name each row once, in kebab case', () => {
    const names = rows.map(([name]) => name)
    expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([])
    expect(names).toHaveLength(new Set(names).size)
  })

  test('give every row something that it changes', () => {
    const means = ['interpretations', 'rules', 'wire', 'reply', 'events', 'bytes', 'delivery', 'remember']
    expect(rows.filter(([, row]) => !means.some((name) => name in row)).map(([name]) => name)).toEqual([])
  })
})

describe('a fault', () => {
  test('breaks clauses that the server or its sender keeps, each named once', () => {
    for (const [name, { breaks }] of faultRows) {
      expect(breaks.length, name).toBeGreaterThan(0)
      expect(breaks, name).toHaveLength(new Set(breaks).size)
      for (const id of breaks) {
        expect([...serverAreas, ...apartAreas], `${name}: ${id}`).toContain(areaOf[id])
        expect(['server', 'sender'], `${name}: ${id}`).toContain(clauses[id].actor)
      }
    }
  })

  test.for([...serverAreas, ...apartAreas])('breaks the area %s in at least two ways', (area) => {
    const there = faultRows.filter(([, { breaks }]) => breaks.some((id) => id in areas[area]))
    expect(there.length).toBeGreaterThanOrEqual(2)
  })
})

describe('several modifications at once', () => {
  let simulator: Simulator
  beforeAll(async () => {
    simulator = await createSimulator({
      faults: ['rate-headers-missing', 'replay-marked-yes', 'response-only-streamed'],
      variants: ['diagnostic-members', 'upper-case-headers'],
    })
  })
  afterAll(() => simulator.close())

  test('all apply, each to what the others left', async () => {
    const first = await postTurn(simulator.tenant, 'several', { message: 'Hello' })
    const again = await postTurn(simulator.tenant, 'several', { message: 'Hello' })
    expect(await first.json()).toMatchObject({ response: '', model: expect.any(String) })
    expect([first, again].map(({ headers }) => headers.get('x-ratelimit-limit'))).toEqual([null, null])
    expect([first, again].map(({ headers }) => headers.get('x-service-idempotent-replay'))).toEqual([
      null,
      'yes',
    ])
    const { responseHeaders = [] } = simulator.tenant.journal.entries()[0] ?? {}
    expect(responseHeaders.map(([name]) => name)).toContain('CONTENT-TYPE')
  })
})
