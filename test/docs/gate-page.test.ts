import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { release, stated, stranger } from '../gate/statements.ts'
import { runConsoleBlock } from '../console-block.ts'

const page = readFileSync(new URL('../../docs/gate.md', import.meta.url), 'utf8')
const home = process.cwd()
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gate-page-'))
  process.chdir(folder)
  for (const [name, { publicKey }] of Object.entries({ release, other: stranger }))
    writeFileSync(`${name}.pub.pem`, publicKey.export({ type: 'spki', format: 'pem' }))
  for (const place of ['runs', 'public']) {
    mkdirSync(`${place}/staging`, { recursive: true })
    writeFileSync(`${place}/staging/statement.dsse.json`, stated())
  }
})
afterAll(() => {
  process.chdir(home)
  rmSync(folder, { recursive: true })
})

test('the commands on the page print what it shows', async () => {
  const { shown, printed } = await runConsoleBlock(page)
  const fixed = printed
    .replace(/[0-9a-f]{64}/, '1f2e…')
    .replace(/ of \d{4}-\S+Z/, ' of 2026-11-24T09:00:00.000Z')
  expect(fixed).toBe(shown)
})

test('the index on the page lists the statements', ({ skip }) => {
  if (spawnSync('jq', ['--version']).error !== undefined) skip('jq is not on this machine')
  const [, script = ''] = /^```bash\n(.*?)^```/ms.exec(page) ?? []
  execFileSync('bash', ['-e', '-o', 'pipefail', '-c', script])
  expect(JSON.parse(readFileSync('public/index.json', 'utf8'))).toEqual({
    statements: ['staging/statement.dsse.json'],
  })
})
