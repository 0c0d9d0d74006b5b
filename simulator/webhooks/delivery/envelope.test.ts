import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { encode, signature } from './envelope.ts'

const secret = 'whsec_sécrèt_🔑'

const openssl = spawnSync('openssl', ['version']).status === 0
it.runIf(openssl)('the signature is the one that openssl makes', () => {
  const body = encode({ text: 'é 🙂 \u2028 / 1.5', number: 1.5 })
  const made = spawnSync('openssl', ['dgst', '-sha256', '-hmac', secret, '-hex'], { input: body })
  expect(signature(body, secret)).toBe(`sha256=${made.stdout.toString().trim().split(' ').at(-1)}`)
})

it('the signature is the one of RFC 4231, test case 2', () => {
  expect(signature(Buffer.from('what do ya want for nothing?'), 'Jefe')).toBe(
    'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  )
})
