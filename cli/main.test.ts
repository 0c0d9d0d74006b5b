import { describe, expect, it } from 'vitest'
import { clauseIds, gapIds } from '../spec/index.ts'
import { rare } from './command.ts'
import { createProgram } from './main.ts'
import { run, testIo } from './process.testkit.ts'
import { firstHelp } from './version.ts'

describe('help', () => {
  it.each([[['--help']], [['check', '--help']], [['simulate', '--help']], [['help', 'check']]])(
    '%j goes to stdout with exit code 0',
    async (argv) => {
      const { code, out, err } = await run(argv)

      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out).toContain('Usage: touchstone')
    },
  )

  it('fits on a screen', async () => {
    const program = createProgram({ io: testIo(), end: () => {} })
    const lines = async (...argv: string[]): Promise<number> => (await run(argv)).out.split('\n').length - 1
    const all = program.commands.flatMap((one) =>
      one.commands.length > 0 ? [] : [[one.name(), one.options.map(({ long }) => long)] as const],
    )

    expect(await lines('--help')).toBeLessThanOrEqual(24)
    for (const [name] of all) expect([name, (await lines(name, '--help')) <= 40]).toEqual([name, true])
    expect(await lines('check', '--help', 'all')).toBeGreaterThan(60)
    expect(program.commands.length).toBeLessThanOrEqual(26)
    expect([...rare].filter((name) => !all.some(([, options]) => options.includes(name)))).toEqual([])
  })

  it('has every command, and what each of the first ones does', () => {
    const lines = new Map(
      [...firstHelp.matchAll(/^ {2}(\w+) +(.*)$/gm)].map(([, name, words]) => [name, words]),
    )
    const listed = firstHelp.match(/\w+/g)
    const { commands } = createProgram({ io: testIo(), end: () => {} })
    const grouped = [...firstHelp.matchAll(/^ {14}(.+)$/gm)].flatMap(([, names = '']) => names.split(', '))

    expect(commands.map((one) => one.name())).toEqual(expect.arrayContaining(grouped))
    for (const one of commands) {
      expect(listed).toContain(one.name())
      expect(lines.get(one.name()) ?? one.description()).toMatch(new RegExp(`^${one.description()}(?:$|:)`))
    }
  })

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
    const { code, out } = await run(['list', 'clauses', '--json'])
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

  it('prints a fault with the clauses that it breaks and the checks that find it', async () => {
    const { out } = await run(['list', 'faults', 'third-replay-unmarked'])

    expect(out).toContain('(breaks IDEM-REPLAY-HEADER)')
    expect(out).toContain('(found by idempotency-replay/json/IDEM-REPLAY-HEADER')
  })

  it('prints every gap with its interpretations, data apart from words', async () => {
    const { out, err } = await run(['list', 'gaps'])

    for (const id of gapIds) expect(out).toContain(id)
    expect(out).toContain('- replay (default): ')
    expect(err).toContain(`${gapIds.length} gaps`)
  })
})
