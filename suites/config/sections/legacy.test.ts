import { expect, test } from 'vitest'
import { environment, problemsOf, wholeFile } from '../file/file.testkit.ts'
import { parseTarget } from '../file/file.ts'
import { secretsOf } from '../secret-values.ts'

const env = { ...environment, OLD: 'ak_secret-of-old' }
const declared = `${wholeFile}\nfeatures: { legacy: supported }\nlegacy: { keys: { plain: env:OLD } }`

test('a key of the older variant belongs to an agent, and is a secret', () => {
  const target = parseTarget(declared, 'target.yaml', env)
  expect(target.legacy).toEqual({ keys: [{ name: 'plain', agent: 'agent-1', bearer: 'ak_secret-of-old' }] })
  expect(secretsOf(target)).toContainEqual({ name: 'key:older-plain', value: 'ak_secret-of-old' })
  expect(parseTarget(wholeFile, 'target.yaml', env).legacy).toBeNull()
})

test.for([
  ['that is not there', `${wholeFile}\nfeatures: { legacy: supported }`, /legacy\.keys\.plain/],
  ['whose agent is not declared', declared.replace('env:OLD }', 'env:OLD, pain: env:OLD }'), /pain.*plain/],
  [
    'that nobody would ask with',
    declared.replace('legacy: supported', 'legacy: unknown'),
    /features\.legacy/,
  ],
] as const)('a key %s is refused', ([, text, words]) => {
  expect(problemsOf(text, env)).toEqual([expect.stringMatching(words)])
})
