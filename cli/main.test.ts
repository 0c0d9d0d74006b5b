import { describe, expect, it } from 'vitest'
import { situationNames } from '../simulator/index.ts'
import { clauseIds, gapIds } from '../spec/index.ts'
import { run } from './process.testkit.ts'

describe('a wrong command line', () => {
  it.each([
    ['an unknown command', ['chek'], /unknown command 'chek'.*Did you mean check/],
    ['an unknown option', ['clauses', '--jsn'], /unknown option '--jsn'.*Did you mean --json/],
    ['an unknown area', ['clauses', '--area', 'idem'], /'idem' is invalid.*idempotency/],
    ['no target', ['check'], /No target: give `simulator`/],
    [
      'a port out of range',
      ['simulate', '--port', '70000'],
      /'70000' is invalid. Give a whole number from 0 to 65535/,
    ],
    ['no port at all', ['simulate', '--port', 'http'], /'http' is invalid/],
    ['a clock that is none', ['simulate', '--clock', 'slow'], /'slow' is invalid. Give real, frozen/],
    ['an unknown fault', ['simulate', '--fault', 'zzzz'], /--fault zzzz: unknown name; `touchstone faults`/],
    ['an unknown gap', ['simulate', '--interpret', 'GAP-IDENTICL=replay'], /did you mean GAP-IDENTICAL\?/],
    [
      'an unknown interpretation',
      ['simulate', '--interpret', 'GAP-IDENTICAL=replai'],
      /replay and conflict \(did you mean replay\?\)/,
    ],
    ['a fault for a real target', ['check', 'x.yaml', '--fault', 'x'], /--fault requires `simulator`/],
    ['a target file that is not there', ['check', 'none.yaml'], /none\.yaml cannot be read/],
    ['an address without its option', ['check', 'https://a.example'], /give it as --base-url/],
    ['an address that is none', ['check', '--base-url', 'a.example'], /give a URL such as/],
    ['an address without a key', ['check', '--base-url', 'https://a.example'], /needs an API key/],
    [
      'two targets',
      ['check', 'simulator', '--base-url', 'https://a.example'],
      /--base-url.* cannot be combined with `simulator`/,
    ],
    [
      'an opt-in that is none',
      ['check', 'simulator', '--opt-in', 'cheap'],
      /slow, costly, destructive, writes/,
    ],
    ['a reply file that does not exist', ['simulate', '--replies', 'none.yaml'], /cannot be read \(ENOENT\)/],
    [
      'a limit that is none',
      ['simulate', '--limit', 'tenant=5'],
      /unknown limit tenant \(did you mean tenants\?\)/,
    ],
    ['a limit without a number', ['simulate', '--limit', 'tenants=many'], /give it as NAME=NUMBER/],
    [
      'a token for a plane that is off',
      ['simulate', '--no-control', '--control-token', 'env:X'],
      /cannot be combined/,
    ],
  ])('with %s gets one clear line and exit code 2', async (_, argv, words) => {
    const { code, out, err } = await run(argv)

    expect(err).toMatch(words)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
    expect({ code, out }).toEqual({ code: 2, out: '' })
  })

  it('with a literal API key refuses it and does not repeat it', async () => {
    const argv = ['check', '--base-url', 'https://a.example', '--agent', 'a', '--api-key', 'sk-live-secret']
    const { code, err } = await run(argv)

    expect(code).toBe(2)
    expect(err).toContain('give env:NAME or file:PATH')
    expect(err).not.toContain('sk-live-secret')
  })
})

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
