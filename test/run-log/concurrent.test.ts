/** Several processes that append to one log at the same time. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { run } from '../../cli/process.testkit.ts'

test('no entry of any writer is lost or breaks the chain', async () => {
  const root = mkdtempSync(join(tmpdir(), 'touchstone-writers-'))
  const [log, key] = [join(root, 'runs.ndjson'), join(root, 'release.pem')]
  await run(['keygen', '--out', key])
  const names = ['one', 'two', 'three', 'four']
  const writer = join(import.meta.dirname, 'writer.ts')
  await Promise.all(
    names.map((name) => promisify(execFile)(process.execPath, [writer, log, key, name, '15'])),
  )

  const verified = await run(['log', 'verify', log, '--key', join(root, 'release.pub.pem')])
  expect(verified).toMatchObject({ code: 0, out: expect.stringContaining('VERIFIED: 120 entries') })
  expect(readdirSync(root).toSorted()).toEqual(['release.pem', 'release.pub.pem', 'runs.ndjson'])
  rmSync(root, { recursive: true })
})
