import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type Counterexample, type ReplayStep, type StepBody, scriptOf } from './script.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const nasty = `it's "$HOME" \`id\` \\ \${x} !! \u0001\u007f\r\n\té 鍵 🙂 -- ; rm -rf / #`
const key = { fresh: 'key-1', digits: 2 } as const
const conversation = { from: 'first', at: '/conversation_id' } as const

const folder = temporaryFolder()
/** In place of curl: prints its arguments and its body, each with a zero byte behind it, at once: others print, too. */
beforeAll(() => {
  const curl = join(folder, 'curl')
  writeFileSync(
    curl,
    String.raw`#!/usr/bin/env bash
for one in "$@"; do if [[ $one == @/* ]]; then cat "${'$'}{one:1}"; else printf '%s' "$one"; fi; printf '\0'; done >"$0.$$"; cat "$0.$$"
`,
  )
  chmodSync(curl, 0o755)
})

const step = (change: Partial<ReplayStep>): ReplayStep => ({
  id: 'first',
  method: 'POST',
  path: '/a',
  headers: [],
  was: 200,
  ...change,
})

const fileOf = (...steps: Counterexample['steps']): Counterexample => ({
  check: 'a/b/C',
  clause: { id: 'C', level: 'must', text: `A clause.\nrm -rf /` },
  expected: nasty,
  got: '',
  needs: { states: [], receiver: false },
  steps,
})

/** Arguments of curl, of all commands of the script. */
function sent(file: Counterexample, env: Record<string, string> = {}, encoding: 'utf8' | 'latin1' = 'utf8') {
  const path = `${folder}:${process.env['PATH'] ?? ''}`
  const script = join(folder, 'repro.sh')
  writeFileSync(script, scriptOf(file, { BASE_URL: 'http://host', keys: { 'header:X-Gate': 'env:GATE' } }))
  return execFileSync('bash', [script], { env: { PATH: path, ...env } })
    .toString(encoding)
    .split('\0')
}

test.for<readonly [name: string, body: StepBody, bytes: string]>([
  [
    'JSON',
    { json: { message: nasty, list: [1, null] } },
    JSON.stringify({ message: nasty, list: [1, null] }),
  ],
  ['a text', { text: nasty }, nasty],
  ['a fresh key in JSON', { json: { k: { $text: ['"', key, '-fresh'] } } }, String.raw`{"k":"\"fresh"}`],
  ['a copied value', { json: { k: { $copy: conversation } } }, '{"k":{"id":1}}'],
  ['other bytes', { base64: '/wH+' }, Buffer.from('/wH+', 'base64').toString('latin1')],
])('%s is sent byte for byte', ([name, body, bytes]) => {
  const encoding = name === 'other bytes' ? 'latin1' : 'utf8'
  const found = sent(fileOf(step({ body })), { from_first_conversation_id: '{"id":1}' }, encoding)
  const last = found.at(-2)
  expect(last?.replace(/[0-9a-f]{2}-fresh/, 'fresh')).toBe(bytes)
})

test('a value with spaces, quotes or a command in it stays one word', () => {
  const plain = nasty.replaceAll(/[^ -~]/g, '')
  const headers = [
    ['X-Odd', plain],
    ['X-Empty', ''],
    ['Authorization', 'Bearer [[key:main:604bf213]]'],
    ['X-Gate', '[[header:X-Gate:7b729168]]'],
  ] as const
  const path = ['/api/', { agent: 'plain' }, "/x'y"] as const
  const found = sent(fileOf(step({ path, headers })), {
    AGENT_ID: 'a b; id',
    GATE: 'open sesame',
    API_KEY: 'sk "1"',
  })
  expect(found).toEqual(
    expect.arrayContaining([
      "http://host/api/a b; id/x'y",
      `X-Odd: ${plain}`,
      'X-Empty;',
      'Authorization: Bearer sk "1"',
      'X-Gate: open sesame',
    ]),
  )
})

test('what has to be set first stops the script, and requests at once are all sent', () => {
  const needs = fileOf(step({ path: ['/', conversation] }))
  expect(() => sent(needs)).toThrow('copy it from the response to first, at /conversation_id')
  const steps = ['/one', '/two'].map((path) => step({ id: path, path }))
  expect(
    sent(fileOf({ atOnce: steps }))
      .filter((word) => word.startsWith('http'))
      .sort(),
  ).toEqual(['http://host/one', 'http://host/two'])
})
