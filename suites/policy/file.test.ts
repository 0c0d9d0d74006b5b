import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { states } from '../../spec/index.ts'
import { ConfigurationError } from '../config/target.ts'
import { parseTarget } from '../config/file/file.ts'
import { loadPolicy } from './file.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const before = [
  'apiVersion: touchstone/v1',
  'target: { name: acme, kind: staging, baseUrl: "https://chat.example.test" }',
  'principals: { main: { bearer: "env:KEY", scopes: [chat] } }',
  'agents: { plain: agent-1 }',
  'states:',
  ...Object.keys(states).map((state) => `  ${state}: { provide: none, why: not here }`),
]
/** The line on which `policy` stands. */
const line = before.length + 1

const known = (change = ''): string =>
  `{ check: a/b/C, fingerprint: 0123456789ab, owner: me, reason: why, created: 2030-01-01, expires: 2030-06-30${change} }`
const flaky = '{ check: d/e/F, owner: me, reason: why, expires: 2030-06-30 }'

const folder = temporaryFolder()
beforeAll(() => {
  mkdirSync(join(folder, 'sub'))
  const files = {
    'known.yaml': `- ${known()}\n`,
    'sub/policy.yaml': `knownFailures: ../known.yaml\nflaky:\n  - ${flaky}\n`,
    'nothing.yaml': '# nothing is known to fail\n',
    'wrong.yaml': `- ${known()}\n- { check: a/b/C }\n`,
    'twice.yaml': `- ${known()}\n- ${known()}\n`,
    'list.yaml': '- 1\n',
  }
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
})

function parse(policy: string) {
  const text = [...before, `policy: ${policy}`].join('\n')
  return parseTarget(text, join(folder, 'target.yaml'), { KEY: 'sk-x' }, '2030-01-10').policy
}

function problems(read: () => unknown): readonly string[] {
  try {
    read()
    return []
  } catch (thrown) {
    if (thrown instanceof ConfigurationError)
      return thrown.problems.map((one) => one.replaceAll(`${folder}/`, ''))
    throw thrown
  }
}

const one = { check: 'a/b/C', fingerprint: '0123456789ab', created: '2030-01-01', expires: '2030-06-30' }

test.for([
  ['in the target file', `{ knownFailures: [${known()}] }`, `target.yaml:${line}`],
  ['in a list of their own', '{ knownFailures: known.yaml }', 'known.yaml:1'],
  ['named by a policy of its own, from where that stands', 'sub/policy.yaml', 'known.yaml:1'],
] as const)('known failures are read %s', ([, policy, at]) => {
  expect(parse(policy).knownFailures).toEqual([{ ...one, owner: 'me', reason: 'why', at }])
})

test('a policy of its own brings its other entries, each with its line', () => {
  const { flaky, expectedNotExercised } = parse('sub/policy.yaml')
  expect(flaky).toMatchObject([{ check: 'd/e/F', at: 'policy.yaml:3' }])
  expect(expectedNotExercised).toEqual([])
  expect(loadPolicy(join(folder, 'sub/policy.yaml'), '2030-01-10').flaky).toEqual(flaky)
})

/** A policy with one known failure, of which this is other. */
const changed = (text: string, to: string): string => `{ knownFailures: [${known().replace(text, to)}] }`

/** What is said of a policy in the target file, and the policy. */
const wrong: Readonly<Record<string, string>> = {
  'knownFailures.0 lacks "fingerprint"; add it': changed('fingerprint: 0123456789ab, ', ''),
  'knownFailures.0.fingerprint is "status"; give the twelve hex digits of the report': changed(
    '0123456789ab',
    'status',
  ),
  'knownFailures.0.issue is "#7"; give an address such as https://tracker.example/issues/7': `{ knownFailures: [${known(', issue: "#7"')}] }`,
  'knownFailures.0.expires is 2030-02-30, which no calendar has; give a day such as 2030-01-31': changed(
    '2030-06-30',
    '2030-02-30',
  ),
  'knownFailures.0.expires is 2030-07-01, 181 days after it was created, and 180 are the most; give 2030-06-30 or earlier':
    changed('2030-06-30', '2030-07-01'),
  'knownFailures.1 is about "a/b/C", as one before it is; take one out': `{ knownFailures: [${known()}, ${known()}] }`,
  'flaky.0 is about "a/b/C", which is a known failure as well; take one of the two out': `{ knownFailures: [${known()}], flaky: [${flaky.replace('d/e/F', 'a/b/C')}] }`,
  'flaky.0.expires is 2030-07-10, 181 days from now, and 180 are the most; give 2030-07-09 or earlier': `{ flaky: [${flaky.replace('2030-06-30', '2030-07-10')}] }`,
  'expectedNotExercised.0 is "stream.tool"; give keys with values such as {"pattern":"stream.tool","reason":"no agent runs a tool here"}':
    '{ expectedNotExercised: [stream.tool] }',
  'knownFailures names the file gone.yaml: not found; check the path': '{ knownFailures: gone.yaml }',
}

const elsewhere: Readonly<Record<string, string>> = {
  [`target.yaml:${line}: policy.knownFailures names the file sub/policy.yaml, which is a whole policy; write \`policy: sub/policy.yaml\``]:
    '{ knownFailures: sub/policy.yaml }',
  'wrong.yaml:2: 1 lacks "fingerprint"; add it': '{ knownFailures: wrong.yaml }',
  'twice.yaml:2: 1 is about "a/b/C", as one before it is; take one out': '{ knownFailures: twice.yaml }',
  'list.yaml: the file is a list; give keys with values or a text': 'list.yaml',
  [`target.yaml:${line}: policy names the file gone.yaml: not found; check the path`]: 'gone.yaml',
}

describe('a policy is refused in one clear line', () => {
  test.for(Object.entries(wrong))('policy.%s', ([says, policy]) => {
    expect(problems(() => parse(policy))[0]).toBe(`target.yaml:${line}: policy.${says}`)
  })

  test.for(Object.entries(elsewhere))('%s', ([says, policy]) => {
    expect(problems(() => parse(policy))[0]).toBe(says)
  })
})
