import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../cli/process.testkit.ts'
import { altered, contents, linesOf, release } from '../../reports/run-log/log.testkit.ts'
import { runConsoleBlock } from '../console-block.ts'

const page = readFileSync(new URL('../../docs/log.md', import.meta.url), 'utf8')
const home = process.cwd()
let folder: string
const fileOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')
const whole = linesOf(contents)
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'log-page-'))
  process.chdir(folder)
  writeFileSync('release.pub.pem', release.publicKey.export({ type: 'spki', format: 'pem' }))
  writeFileSync('runs.ndjson', fileOf(whole))
  writeFileSync('shortened.ndjson', fileOf(whole.slice(0, 4)))
  writeFileSync('head.json', (await run(['log', 'head', 'runs.ndjson', '--key', 'release.pub.pem'])).out)
})
afterAll(() => {
  process.chdir(home)
  rmSync(folder, { recursive: true })
})

test('the commands on the page print what it shows', async () => {
  const { shown, printed } = await runConsoleBlock(page)

  expect(printed.replaceAll(/[0-9a-f]{64}/g, '1f2e…')).toBe(shown)
})

const tools = ['bash', 'openssl', 'jq', 'sha256sum', 'base64', 'sed']
const missing = tools.filter((tool) => spawnSync(tool, ['--help']).error !== undefined)

test('openssl and the usual tools check an entry, as the page says', ({ skip }) => {
  if (missing.length > 0) skip(`not on this machine: ${missing.join(', ')}`)
  const [, script = ''] = /^```bash\n(.*?)^```/ms.exec(page) ?? []
  const check = (): string =>
    execFileSync('bash', ['-e', '-o', 'pipefail', '-c', script], { encoding: 'utf8', stdio: 'pipe' })
  const [, verified, before, entry = ''] = /^(.*)\n([0-9a-f]{64})  -\n(.*)$/s.exec(check()) ?? []

  expect(verified).toBe('Signature Verified Successfully')
  expect(JSON.parse(entry)).toMatchObject({ number: 5, previous: before, run: 'run-3', is: 'end' })

  writeFileSync(
    'runs.ndjson',
    fileOf(
      whole.with(
        4,
        altered(whole[4] ?? '', (one) => (one['exitCode'] = 0)),
      ),
    ),
  )
  expect(check).toThrow('openssl pkeyutl -verify')
  writeFileSync('runs.ndjson', fileOf(whole))
})
