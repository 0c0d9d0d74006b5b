import { expect, it } from 'vitest'
import { credentialsIn } from './credentials.ts'

const basic = Buffer.from('me:pass:word-1').toString('base64')

it.each([
  ['X-Tenant', 'abc def', ['abc def']],
  ['cookie', 'sid=s3ss10n==; theme="dark"', ['sid=s3ss10n==; theme="dark"', 's3ss10n==', 'dark']],
  ['Authorization', 'Bearer  t0ken.a.b', ['Bearer  t0ken.a.b', 't0ken.a.b']],
  ['Proxy-Authorization', `basic ${basic}`, [`basic ${basic}`, basic, 'me:pass:word-1', 'pass:word-1']],
  ['authorization', 'alone', ['alone', '']],
] as const)('in %s: %s', (name, value, secrets) => {
  expect(credentialsIn([name, value])).toEqual(secrets)
})
