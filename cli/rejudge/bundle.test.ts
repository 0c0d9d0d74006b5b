import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { exchange, finding, runOf } from '../../reports/testing/run.testkit.ts'
import { bareTarget } from '../../suites/config/bare.ts'
import { tooShortIn, secretsOf } from '../../suites/config/secret-values.ts'
import { inOtherCase } from '../../suites/wire/route.ts'
import { BundleError } from '../../bundle/errors.ts'
import { bundleOf } from '../../reports/testing/bundle.testkit.ts'
import { readBundle } from './read-bundle.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const secret = 'sk-live-4f9a8b7c6d5e'
const target = bareTarget({ baseUrl: 'https://staging.example', apiKey: secret, agent: 'a1' })

it('every key, header and cookie that a target gives in secret counts as a secret', () => {
  const principals = target.principals.map((principal) => ({ ...principal, pool: ['sk-second-key'] }))
  const headers = [['X-Pass', 'open-sesame']] as const
  const session = { headers: [['Cookie', 'sid=0123456789']] as const }

  const secrets = secretsOf({ ...target, principals, headers, session })

  expect(secrets.map(({ name, value }) => [name, value])).toEqual([
    ['key:main', secret],
    ['key:main.other-case', inOtherCase(secret)],
    ['key:main', 'sk-second-key'],
    ['key:main.other-case', 'sk-SECOND-KEY'],
    ['header:X-Pass', 'open-sesame'],
    ['header:Cookie', 'sid=0123456789'],
    ['header:Cookie', '0123456789'],
  ])
})

it.each([
  ['short12', ['key:main']],
  ['eight-88', []],
])('a key of %s is reported where it cannot be taken out', (bearer, names) => {
  const principals = target.principals.map((principal) => ({ ...principal, bearer }))
  const reported = { ...target, principals, headers: [['X-Release', 'beta']] as const }
  expect(tooShortIn(reported)).toEqual(names)
  expect(secretsOf(reported)).toHaveLength(2 * (1 - names.length))
})

/** What is read back when one file of a whole bundle holds something else. */
function reading(file: string, change: (text: string) => string): () => unknown {
  const whole = bundleOf(runOf([finding({ verdict: 'pass' })], {}, [exchange(1)]), target)
  const folder = temporaryFolder(onTestFinished)
  for (const [name, content] of whole)
    writeFileSync(join(folder, name), name === file ? change(String(content)) : content)
  return () => readBundle(folder)
}

const swapped = (from: string, to: string) => (text: string) => text.replace(from, to)

it.each([
  [
    'run.json',
    swapped('"verdict": "pass"', '"verdict": "fine"'),
    '/findings/0/verdict is "fine", not one of',
  ],
  ['run.json', swapped('"findings": [', '"findings": [null,'), '/findings/0 is null, not object'],
  ['run.json', () => '[]', 'schema: is .*, not object'],
  ['run.json', () => '{\n"a', 'cannot be read'],
  ['judging.json', () => `{"dialect":{"log":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`, 'cannot be read'],
  ['judging.json', () => '{"dialect":{},"policy":null}', '/policy is null, not object'],
  ['journal.ndjson', () => '{"id":1}\n', 'line 1: it is no line of a journal'],
])('a spoiled %s is reported in one line, with its place', (file, change, words) => {
  const read = reading(file, change)
  expect(read).toThrow(BundleError)
  const other = reading(file, change)
  expect(other).toThrow(new RegExp(`^.*${file.replace('.', '\\.')}.*${words}.*$`))
})
