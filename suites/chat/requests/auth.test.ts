import { expect, test } from 'vitest'
import { jsonAnswer, reply } from '../../assertions/exchange.testkit.ts'
import type { Header } from '../../wire/exchange.ts'
import { revokedKey } from './auth.ts'

const judge = revokedKey.judge['AUTH-NO-ECHO']
const key = 'sk-one-Two-3333'
const token = '[[key:revoked:0a1b2c3d]]'
const bearing = (value: string): readonly Header[] => [['authorization', `Bearer ${value}`]]

function judged(sent: string, error: string, read = {}) {
  const revoked = { ...jsonAnswer({ error }, { status: 401, requestHeaders: bearing(sent) }), ...read }
  return judge?.({ accepted: jsonAnswer(reply), revoked }, { dialect: {}, notes: {} })?.is
}

test('a key is not repeated; whether an encoding of it was, cannot be said once both have its token', () => {
  expect(judged(key, `no such key: ${key}`)).toBe('fail')
  expect(judged(key, Buffer.from(key).toString('base64'))).toBe('pass')
  expect(judged(token, 'no such key', { redacted: true })).toBe('pass')
  expect(() => judged(token, `no such key: ${token}`, { redacted: true })).toThrow('redacted')
})
