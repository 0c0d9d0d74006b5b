import { expect, test } from 'vitest'
import { secretsIn, displayedCommand } from './command-words.ts'

const env = { GATEWAY_TOKEN: 'from-the-environment', HOME: '/home/ada' }

test.for<[string[], string, string[]]>([
  [['/usr/bin/node', 'app.mjs'], 'node app.mjs', []],
  [['app', '--api-key', 'abcdefgh12'], 'app --api-key …', ['abcdefgh12']],
  [['app', '--token=abcdefgh12', 'x'], 'app --token=… x', ['abcdefgh12']],
  [['app', '--password', 'short'], 'app --password …', []],
  [['app', '--key', '{api_key}'], 'app --key {api_key}', []],
  [['app', '--keyboard', 'qwertz-layout'], 'app --keyboard qwertz-layout', []],
  [['app', 'Bearer from-the-environment'], 'app Bearer from-the-environment', ['from-the-environment']],
  [['sh', '-c', 'one\n  two'], 'sh -c one two', []],
  [[], 'a client by hand', []],
])('%j', ([words, spoken, secrets]) => {
  expect(displayedCommand(words)).toBe(spoken)
  expect(secretsIn(words, env).map(({ value }) => value)).toEqual(secrets)
})
