import { createPrivateKey, createPublicKey } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { run } from '../process.testkit.ts'
import { keyIdOf } from '../../reports/bundle/seal/envelope.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keygen-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('writes two halves of one key, the private one for nobody else to read', async () => {
  const out = join(folder, 'release.pem')
  const { code, out: printed, err } = await run(['keygen', '--out', out])

  const shown = join(folder, 'release.pub.pem')
  const [pem, publicPem] = [readFileSync(out, 'utf8'), readFileSync(shown, 'utf8')]
  expect(code).toBe(0)
  expect(statSync(out).mode & 0o777).toBe(0o600)
  expect(createPrivateKey(pem).asymmetricKeyType).toBe('ed25519')
  expect(createPublicKey(pem).equals(createPublicKey(publicPem))).toBe(true)
  expect(printed).toContain(keyIdOf(createPublicKey(publicPem)))
  const [, secret = 'none'] = pem.split('\n')
  expect(printed + err).not.toContain(secret)
})

it.each(['key.pem', 'key.pub.pem'])('writes over nothing where %s is there already', async (file) => {
  writeFileSync(join(folder, file), 'of somebody else')
  const { code, err } = await run(['keygen', '--out', join(folder, 'key.pem')])

  expect(code).toBe(2)
  expect(err).toContain(`${join(folder, file)} exists`)
  expect(readdirSync(folder)).toEqual([file])
  expect(readFileSync(join(folder, file), 'utf8')).toBe('of somebody else')
})

it('says where it cannot write', async () => {
  const { code, err } = await run(['keygen', '--out', join(folder, 'none/key.pem')])

  expect([code, err]).toEqual([2, expect.stringMatching(/none\/key\.pem cannot be written \(ENOENT\)/)])
})
