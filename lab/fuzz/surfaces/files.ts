/** Files that people write or keep: targets, policies, reply files, run bundles. What is wrong is said in words. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { bundleOf } from '../../../reports/testing/bundle.testkit.ts'
import { readBundle } from '../../../cli/rejudge/read-bundle.ts'
import { sha256 } from '../../../bundle/seal/digest.ts'
import type { Io } from '../../../cli/io.ts'
import { rejudgeFolder } from '../../../cli/rejudge/rejudge.ts'
import { replyRulesIn } from '../../../cli/simulate/reply-file.ts'
import { states } from '../../../spec/index.ts'
import type { RunRecord } from '../../../suites/index.ts'
import { loadPolicy } from '../../../suites/policy/file.ts'
import { parseTarget } from '../../../suites/config/file/file.ts'
import { changeBytes } from '../change-bytes.ts'
import { changeValue } from '../change-json.ts'
import type { Corpus } from '../corpus.ts'
import type { Draw } from '../draw.ts'
import { bytesOf, refusing, type Feed, type Surface, type Surfaces } from '../surface.ts'

/** In memory where that can be: ten thousand files are written, one after the other. */
const quick = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

const text = (input: Uint8Array): string => Buffer.from(input).toString()

/** Aliases that stand for a thousand million values, or for themselves. */
const bomb = `{ a: &a [x,x,x,x,x,x,x,x,x,x], b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a], c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b], d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c], e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d], f: [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e] }`

const yamlTokens = [
  '&a ', '*a', '*nowhere', '&a [*a]', '<<: *a', '<<: {a: 1}', '!!binary x', '!!set {a}', '!!timestamp 2020-01-01',
  '!!js/function x', '!x y', '%YAML 9.9\n', '---\n', '...\n', '? ', '? [a]\n: b\n', '|\n', '>-\n', '\t', '\n  ', '\n', ': ',
  '- ', '#', '~', '0x1f', '0o17', '.inf', '-.nan', '{', '[', '"\\x', '"\\U0010ffff"', '@', '`', '__proto__: 1\n', bomb,
] // prettier-ignore

/** Half of the inputs stay YAML: JSON is YAML, too. */
function changeYaml(seed: Uint8Array, draw: Draw, others: readonly Uint8Array[]): Uint8Array {
  if (draw.chance(50)) return changeBytes(seed, draw, others, yamlTokens)
  return bytesOf(changeValue(parse(text(seed)), draw))
}

const growingYaml: Surface['growing'] = {
  'list entries': (bytes) => bytesOf('- 1\n'.repeat(bytes / 4)),
  'a long text': (bytes) => bytesOf(`a: ${'x'.repeat(bytes)}`),
  'empty lines': (bytes) => bytesOf('\n'.repeat(bytes)),
  comments: (bytes) => bytesOf('#\n'.repeat(bytes / 2)),
}

const target = [
  'apiVersion: touchstone/v1',
  'target: { name: acme, kind: staging, baseUrl: "https://chat.example.test" }',
  'principals:',
  '  main: { bearer: "env:KEY", scopes: [chat] }',
  'agents: { plain: agent-1, paused: agent-2 }',
  'policy: { knownFailures: [{ check: a/b/C, fingerprint: 0123456789ab, owner: me, reason: why, expires: 2030-01-11 }] }',
  'states:',
].join('\n')
const provided = Object.keys(states).map((state) => `  ${state}: { provide: none, why: not here }`)
const env = { KEY: 'sk-x', KEY_2: 'sk-y', SESSION: 'session=1' }
const today = '2030-01-10'

const targetFile: Surface = {
  parts: 1,
  seeds: () => [
    bytesOf(target),
    bytesOf([target, ...provided].join('\n')),
    bytesOf(
      target.replace(
        'policy:',
        'receiver: { mode: none }\nbudgets: { requests: 1, turns: 1, credits: 1 }\npolicy:',
      ),
    ),
  ],
  change: changeYaml,
  open: () => ({
    feed(input) {
      refusing(['ConfigurationError'], () => parseTarget(text(input), 'target.yaml', env, today))
    },
  }),
  growing: growingYaml,
}

/** What is given in variables is laid over the file. */
const environment: Surface = {
  parts: 1,
  seeds: () => ['{ plain: a }', '[slow]', '12', 'real', '{ main: { bearer: "env:KEY" } }', bomb].map(bytesOf),
  change: (seed, draw, others) => changeBytes(seed, draw, others, yamlTokens),
  open: () => ({
    feed(input) {
      const names = ['AGENTS', 'BUDGETS__TURNS', 'OPT_IN', 'POLICY', 'STATES']
      const laidOver = { ...env, [`TOUCHSTONE_${names[input.length % names.length]}`]: text(input) }
      refusing(['ConfigurationError'], () => parseTarget(target, 'target.yaml', laidOver, today))
    },
  }),
}

/** A file of its own for each reader that takes a path. */
function withFile(read: (path: string) => void): Feed {
  const folder = mkdtempSync(join(quick, 'fuzz-'))
  const path = join(folder, 'input.yaml')
  return {
    feed(input) {
      writeFileSync(path, input)
      read(path)
    },
    close: async () => rmSync(folder, { recursive: true }),
  }
}

const mark = '{ check: a/b/C, owner: me, reason: why, expires: 2030-01-11 }'
const known = mark.replace('owner', 'fingerprint: 0123456789ab, owner')
const policies = [
  `knownFailures:\n  - ${known}\nflaky:\n  - ${mark}\nexpectedNotExercised:\n  - { check: "chat/*", reason: fixture-missing }\n`,
  `knownFailures: [${known}, ${known}]\n`,
  'knownFailures: other.yaml\n',
]

const policyFile: Surface = {
  parts: 1,
  seeds: () => policies.map(bytesOf),
  change: changeYaml,
  open: () => withFile((path) => void refusing(['ConfigurationError'], () => loadPolicy(path, today))),
}

const replyRules = [
  'match: { message: Wait }\nreply: { tokens: [a, b], tokenDelayMs: 1 }\n',
  '- match: { agent: plain, message: { contains: x }, nth: 1 }\n  reply: { text: hello, credits: 0.5 }\n- match: {}\n  reply: {}\n',
]

const replyFile: Surface = {
  parts: 2,
  seeds: () => replyRules.map(bytesOf),
  change: changeYaml,
  open: () => withFile((path) => void refusing(['UsageError'], () => replyRulesIn(path))),
  growing: growingYaml,
}

/** A scenario or two of a run, with all that belongs to them. */
function smallBundles(corpus: Corpus): Uint8Array[] {
  const { record, exchanges, dialect, policy } = corpus
  const small = record.scenarioRuns.filter(
    ({ scenario }) => exchanges.filter((one) => one.scenario === scenario).length === 2,
  )
  return small.slice(0, 12).map(({ scenario }) => {
    const mine = <T extends { scenario: string }>(list: readonly T[]): T[] =>
      list.filter((one) => one.scenario === scenario)
    const cut: RunRecord = {
      ...record,
      plan: { ...record.plan, checks: mine(record.plan.checks) },
      findings: mine(record.findings),
      scenarioRuns: mine(record.scenarioRuns),
      uncovered: record.uncovered.slice(0, 2),
    }
    const files = bundleOf({ record: cut, journal: mine(exchanges) }, { dialect, policy })
    return bytesOf(bundleNames.map((name) => String(files.get(name)).trim()).join(between))
  })
}
const bundleNames = ['run.json', 'judging.json', 'plan.json', 'journal.ndjson'] as const
const between = '\n\f\n'

function changeBundle(seed: Uint8Array, draw: Draw, others: readonly Uint8Array[]): Uint8Array {
  const files = text(seed).split(between)
  const at = draw.below(10) < 6 ? 0 : draw.below(files.length)
  const file = files[at] ?? ''
  if (draw.chance(15)) files[at] = text(changeBytes(bytesOf(file), draw, others))
  else if (at < 3) files[at] = changeValue(JSON.parse(file), draw)
  else {
    const lines = file.split('\n')
    const line = draw.below(lines.length)
    files[at] = lines.with(line, changeValue(JSON.parse(lines[line] ?? '{}'), draw)).join('\n')
  }
  // Mostly chained again: what is behind the chain is to be reached, too.
  const chained = draw.chance(80) ? rechained(files) : files
  if (draw.chance(10)) chained[0] = ''
  return bytesOf(chained.join(between))
}

/** As somebody would who wants to hide the change. */
function rechained([record = '', judging = '', plan = '', journal = '']: readonly string[]): string[] {
  let prev = sha256(`${plan}\n`)
  const lines = journal.split('\n').map((line, seq) => {
    const again = withMembers(line, { seq, prev })
    prev = sha256(again)
    return again
  })
  const sealed = withMembers(record, { journal: { lines: lines.length, head: prev } })
  return [sealed, judging, plan, lines.join('\n')]
}

/** What is no object, or too deep to be written again, stays as it is. */
function withMembers(json: string, members: object): string {
  try {
    const value: unknown = JSON.parse(json)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? JSON.stringify({ ...value, ...members }) : json
  } catch {
    return json
  }
}

const silent: Io = {
  out: () => undefined,
  err: () => undefined,
  env: {},
  started: { as: 'touchstone', words: [] },
  width: 100,
  colour: false,
  live: false,
  now: () => 0,
  question: null,
  handSignalsTo: () => () => Promise.resolve([]),
  stopped: new AbortController().signal,
}

const bundle: Surface = {
  parts: 1.5,
  seeds: smallBundles,
  change: changeBundle,
  open() {
    const folder = mkdtempSync(join(quick, 'fuzz-'))
    return {
      async feed(input) {
        const files = text(input).split(between)
        for (const [at, name] of bundleNames.entries()) {
          // Without a record it is a run that was cut off.
          if (files[at]) writeFileSync(join(folder, name), `${files[at]}\n`)
          else rmSync(join(folder, name), { force: true })
        }
        const read = refusing(['BundleError'], () => readBundle(folder))
        if (read) await rejudgeFolder(folder, {}, silent)
      },
      close: async () => rmSync(folder, { recursive: true }),
    }
  },
}

export const files = {
  'target-file': targetFile,
  environment,
  'policy-file': policyFile,
  'reply-file': replyFile,
  bundle,
} satisfies Surfaces
