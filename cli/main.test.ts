import { describe, expect, it } from 'vitest'
import { situationNames } from '../simulator/index.ts'
import { clauseIds, gapIds } from '../spec/index.ts'
import { run } from './process.testkit.ts'

describe('help', () => {
  it.each([[['--help']], [['check', '--help']], [['simulate', '--help']], [['help', 'check']]])(
    '%j goes to stdout with exit code 0',
    async (argv) => {
      const { code, out, err } = await run(argv)

      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out).toContain('Usage: touchstone')
    },
  )

  it('gives examples only of faults that there are', async () => {
    const { faults } = await import('../simulator/index.ts')
    const helps = await Promise.all(['check', 'simulate'].map((command) => run([command, '--help'])))
    const named = helps.flatMap(({ out }) => [...out.matchAll(/--fault ([a-z-]+)/g)].map(([, name]) => name))

    expect(named).toHaveLength(2)
    for (const name of named) expect(faults).toHaveProperty([name ?? ''])
  })

  it('names every exit code of a check', async () => {
    const { out } = await run(['check', '--help'])

    for (const code of ['0 ', '1 ', '2 ', '3 ', '4 ', '5 ', '70'])
      expect(out).toMatch(new RegExp(`^ +${code}`, 'm'))
  })
})

describe('lists', () => {
  it('prints every clause as JSON, with its area and wording', async () => {
    const { code, out } = await run(['clauses', '--json'])
    const rows: unknown = JSON.parse(out)

    expect(code).toBe(0)
    expect(rows).toHaveLength(clauseIds.length)
    expect(rows).toContainEqual(
      expect.objectContaining({
        id: 'IDEM-REPLAY-HEADER',
        area: 'idempotency',
        level: 'must',
        text: expect.any(String),
      }),
    )
  })

  it('filters clauses by area, level and actor', async () => {
    const { out } = await run(['clauses', '--area', 'idempotency', '--level', 'should', '--actor', 'server'])

    expect(out).toContain('IDEM-KEY-ODD  should')
    expect(out).not.toMatch(/ {2}must$/m)
  })

  it('prints every gap with its interpretations, data apart from words', async () => {
    const { out, err } = await run(['gaps'])

    for (const id of gapIds) expect(out).toContain(id)
    expect(out).toContain('- replay (default): ')
    expect(err).toContain(`${gapIds.length} gaps`)
  })

  it('prints scenarios with what they judge or observe', async () => {
    const { code, out } = await run(['scenarios', '--json'])
    const rows = JSON.parse(out) as { judges: string[]; observes: string[] }[]

    expect(code).toBe(0)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.every(({ judges, observes }) => judges.length + observes.length > 0)).toBe(true)
  })

  it('prints situations with what they show', async () => {
    const { out } = await run(['situations', '--json'])
    const rows = JSON.parse(out) as { name: string }[]

    expect(rows.map(({ name }) => name)).toEqual(situationNames)
    expect((await run(['situations'])).out).toContain('Shows: a button of an earlier presentation is stale;')
  })

  it.each(['faults', 'variants'])('prints %s', async (name) => {
    const { code, err } = await run([name])

    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining(name) })
  })
})
