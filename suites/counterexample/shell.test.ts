import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import type { StepBody } from './file.ts'
import { bodyCommand, headerWord, wordOf } from './shell.ts'

/** What a command of bash prints. */
const printed = (command: string, env: Record<string, string> = {}): Buffer =>
  execFileSync('bash', ['-c', command], { env: { ...process.env, ...env } })

const nasty = `it's "$HOME" \`id\` \\ \${x} !! \u0001\u007f\r\n\té 鍵 🙂 -- ; rm -rf / #`

test.for<readonly [name: string, body: StepBody, bytes: string]>([
  [
    'JSON',
    { json: { message: nasty, list: [1, null, { a: true }] } },
    JSON.stringify({ message: nasty, list: [1, null, { a: true }] }),
  ],
  ['a text', { text: nasty }, nasty],
  ['a text with a zero byte', { text: ['a\0b', { fresh: 'key-1', digits: 2 }, nasty] }, `a\0b00${nasty}`],
  [
    'a key in JSON',
    { json: { k: { $text: ['"', { fresh: 'key-1', digits: 2 }] } } },
    String.raw`{"k":"\"00"}`,
  ],
  ['other bytes', { base64: '/wD+' }, Buffer.from('/wD+', 'base64').toString('latin1')],
])('the command of %s prints exactly its bytes', ([name, body, bytes]) => {
  const encoding = name === 'other bytes' ? 'latin1' : 'utf8'
  expect(printed(bodyCommand(body) ?? '', { key_1: '00' }).toString(encoding)).toBe(bytes)
})

test('a value with spaces, quotes or a command in it stays one word', () => {
  const show = (word: string): string => printed(`printf '<%s>' ${word}`, { AGENT_ID: 'a b; id' }).toString()
  expect(show(wordOf(['/api/', { agent: 'plain' }, `/x'y`]))).toBe(`</api/a b; id/x'y>`)
  expect(show(headerWord('X-Odd', nasty.replaceAll(/[^ -~]/g, '')))).toBe(
    `<X-Odd: ${nasty.replaceAll(/[^ -~]/g, '')}>`,
  )
  expect(show(headerWord('X-Empty', ''))).toBe('<X-Empty;>')
})
