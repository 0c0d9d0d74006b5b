import { createPublicKey } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keyIdOf } from '../../bundle/seal/envelope.ts'
import { run } from '../process.testkit.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

test('writes two halves of one key, the private one for nobody else to read, and overwrites none', async () => {
  const folder = temporaryFolder(onTestFinished)
  const out = join(folder, 'release.pem')
  const { code, out: printed } = await run(['keygen', '--out', out])
  const [pem, publicPem] = [out, join(folder, 'release.pub.pem')].map((file) => readFileSync(file, 'utf8'))

  expect(code).toBe(0)
  expect(statSync(out).mode & 0o777).toBe(0o600)
  expect(createPublicKey(pem ?? '').equals(createPublicKey(publicPem ?? ''))).toBe(true)
  expect(printed).toContain(keyIdOf(createPublicKey(publicPem ?? '')))
  expect(printed).not.toContain(pem?.split('\n')[1])

  expect(await run(['keygen', '--out', out])).toMatchObject({
    code: 2,
    err: expect.stringContaining('release.pem exists'),
  })
  expect(readFileSync(out, 'utf8')).toBe(pem)
})
