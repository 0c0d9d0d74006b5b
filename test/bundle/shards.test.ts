/** Shards run as CI jobs would, merged, and held against the same run in one piece. */
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../cli/process.testkit.ts'
import type { RunRecord } from '../../bundle/record.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const root = temporaryFolder()
const at = (name: string): string => join(root, name)

/** Without races and the deliberate 429, which a busy machine may leave open; with deliveries and states. */
const wide = 'idempotency-replay/*,streaming/*,credits/*,chat-response/*,pause/*,delivery/*'
const narrow = 'idempotency-replay/*,streaming/streamed-turn'
const checked = (name: string, ...more: readonly string[]) =>
  run(['check', 'simulator', '--quiet', '--out', at(name), ...more])

const record = (name: string): RunRecord =>
  JSON.parse(readFileSync(join(at(name), 'run.json'), 'utf8')) as RunRecord

/** Runs three shards, and the same in one piece. Returns the exit codes of the shards. */
async function ran(name: string, ...more: readonly string[]): Promise<readonly number[]> {
  const codes: number[] = []
  for (const number of [1, 2, 3])
    codes.push((await checked(`${name}-${number}`, '--shard', `${number}/3`, ...more)).code)
  await checked(`${name}-whole`, '--seed', '1', ...more)
  return codes
}

const shardsOf = (name: string): readonly string[] => [1, 2, 3].map((number) => at(`${name}-${number}`))
const merge = (name: string, ...argv: readonly string[]) => run(['merge', '--out', at(name), ...argv])

const answers = (name: string) => {
  const { findings, conformance, exitCode, plan } = record(name)
  return {
    conformance,
    exitCode,
    plan: plan.digest,
    order: plan.checks.map(({ check }) => check),
    verdicts: findings.map(({ check, verdict, fingerprint }) => [check, verdict, fingerprint]),
  }
}

describe.for([
  ['plain', ['--only', wide]],
  ['broken', ['--only', narrow, '--fault', 'replay-unmarked']],
] as const)('three shards of a run, %s', ([name, more]) => {
  let codes: readonly number[]
  beforeAll(async () => {
    codes = await ran(name, ...more)
  })

  test('are, merged, the same run as in one piece, and verified to the last line', async () => {
    const { code } = await merge(`${name}-merged`, ...shardsOf(name))
    expect(answers(`${name}-merged`)).toEqual(answers(`${name}-whole`))
    expect(code).toBe(record(`${name}-whole`).exitCode)
    const { out, code: verified } = await run(['verify', at(`${name}-merged`), '--rejudge'])
    expect(verified, out).toBe(0)
  })

  test('add up, and take the time of the longest', () => {
    const all = [1, 2, 3].map((number) => record(`${name}-${number}`).used)
    const sum = (of: 'requests' | 'turns' | 'credits'): number =>
      all.reduce((total, used) => total + used[of], 0)
    expect(record(`${name}-merged`).used).toEqual({
      requests: sum('requests'),
      turns: sum('turns'),
      credits: sum('credits'),
      wallSeconds: Math.max(...all.map(({ wallSeconds }) => wallSeconds)),
    })
  })

  test('fail only with a failure of their own, and never speak for the whole', () => {
    for (const [index, code] of codes.entries()) {
      const { findings, conformance } = record(`${name}-${index + 1}`)
      const fails = findings.some(({ verdict }) => verdict === 'fail')
      expect([code, conformance]).toEqual(fails ? [1, 'nonconformant'] : [0, 'partial'])
      const page = readFileSync(join(at(`${name}-${index + 1}`), 'summary.md'), 'utf8')
      expect(page).toContain(`: shard ${index + 1} of 3; merge the shards for the verdict`)
    }
  })
})

test('a merged run is read, judged again and compared like any other', async () => {
  const merged = at('broken-merged')
  expect((await run(['verify', '--rejudge', merged, '--out', at('again')])).code).toBe(1)
  expect((await run(['verify', at('again')])).code).toBe(0)
  expect((await run(['diff', at('broken-whole'), merged])).out).toContain('nothing changed')
  const junit = (await run(['report', merged, '--format', 'junit'])).out
  expect(junit).toContain('Merged from 3 of 3 shards')
  expect(junit).toMatch(/reproduce +npx touchstone check simulator [^\n]*--only/)
})

test('shards of a selection with rules are merged with the last look that it needs', async () => {
  for (const at of [1, 2]) await checked(`rule-${at}`, '--shard', `${at}/2`, '--only', 'discovery')
  expect((await merge('rule', at('rule-1'), at('rule-2'))).code).toBe(0)
})

test('a missing shard is not tested, which no policy excuses', async () => {
  const [first = '', , third = ''] = shardsOf('plain')
  const { code, out } = await merge('without', first, third, '--allow-missing')
  const { findings, conformance } = record('without')
  const open = findings.filter(({ reason }) => reason === 'shard-missing')
  expect(open.map(({ check }) => check)).toEqual(record('plain-2').plan.checks.map(({ check }) => check))
  expect(open[0]?.detail).toBe('missing of 3 shards: 2')
  expect([code, conformance]).toEqual([3, 'partial'])
  expect(out).toContain('Without shard 2')
  expect((await run(['verify', at('without'), '--rejudge'])).code).toBe(0)
})

describe('merge refuses, with exit code 2 and one line,', () => {
  /** A shard like the second, but run with other options. */
  const others = {
    seed: ['--seed', '2'],
    profile: ['--profile', 'exhaustive'],
    'opt-ins': ['--opt-in', 'slow'],
    target: ['--fault', 'replay-unmarked'],
    'number of shards': ['--shard', '2/2'],
    policy: ['--policy', 'POLICY'],
  } as const

  const shard = (number: number): readonly string[] => ['--only', narrow, '--shard', `${number}/3`]
  beforeAll(() => checked('like', ...shard(1)))

  test.for(Object.entries(others))('another %s', async ([what, more]) => {
    const policy = at('policy.yaml')
    const entry = '{ pattern: state-not-provided, reason: no states here }'
    writeFileSync(policy, `expectedNotExercised:\n  - ${entry}\n`)
    await checked('other', ...shard(2), ...more.map((word) => (word === 'POLICY' ? policy : word)))
    const { code, err } = await merge('refused', at('like'), at('other'))
    const words = `differ in the ${what}. Run every shard with the same options\\.\n$`
    expect(err).toMatch(new RegExp(`^error: \\S+ and \\S+ ${words}`))
    expect(code).toBe(2)
  })

  /** What is changed of a copy of the second shard. */
  const changes: Readonly<Record<string, (path: string) => void>> = {
    'journal.ndjson: changed': (path) => replaced(join(path, 'journal.ndjson'), '"POST"', '"PUT!"'),
    'run.json: changed': (path) => replaced(join(path, 'run.json'), '"exitCode": 0', '"exitCode": 3'),
    'junit.xml: changed': (path) => appendFileSync(join(path, 'junit.xml'), ' '),
    'note.txt: added': (path) => writeFileSync(join(path, 'note.txt'), ''),
    'judging.json: removed': (path) => rmSync(join(path, 'judging.json')),
  }

  test.for(Object.entries(changes))('a shard that was altered: %s', async ([words, change]) => {
    const [first = '', second = '', third = ''] = shardsOf('plain')
    const altered = at(`altered-${words.split(':')[0]}`)
    cpSync(second, altered, { recursive: true })
    change(altered)
    const { code, err } = await merge('refused', first, altered, third)
    expect(err).toMatch(/^error: \S+ is not as its run wrote it .*run that shard again\.\n$/)
    expect(err).toContain(words.split(':')[0])
    expect(code).toBe(2)
  })

  const lists: Readonly<Record<string, readonly [names: readonly string[], words: string]>> = {
    'a missing shard': [['plain-1', 'plain-3'], 'missing of 3 shards: 2: add them, or give --allow-missing'],
    'missing shards': [['plain-1'], 'missing of 3 shards: 2, 3'],
    'the same shard twice': [['plain-1', 'plain-2', 'plain-2'], 'are both shard 2; give each once'],
    'a whole run': [
      ['plain-whole', 'plain-2'],
      'is no shard: give the folders that `touchstone check --shard` wrote',
    ],
    'no run': [['empty'], 'is not a run folder'],
  }

  test.for(Object.entries(lists))('%s', async ([, [names, words]]) => {
    mkdirSync(at('empty'), { recursive: true })
    const { code, err } = await merge('refused', ...names.map(at))
    expect(err).toContain(words)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
    expect(code).toBe(2)
  })

  test('a shard in the place of the whole', async () => {
    const { code, err } = await merge('plain-1', at('plain-1'), at('plain-2'), at('plain-3'))
    expect([code, err]).toEqual([2, expect.stringContaining('is read from there; name another folder')])
  })
})

function replaced(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(from)
  writeFileSync(file, text.replace(from, to))
}
