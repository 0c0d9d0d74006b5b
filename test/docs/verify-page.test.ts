import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../cli/process.testkit.ts'
import { inspections } from '../../cli/verify/inspections.ts'

const page = readFileSync(new URL('../../docs/verify.md', import.meta.url), 'utf8')

const blocks = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text)

const home = process.cwd()
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'verify-page-'))
  process.chdir(folder)
})
afterAll(() => {
  process.chdir(home)
  rmSync(folder, { recursive: true })
})

/** The words of a command line as a shell would hand them over: quotes around some of them, and nothing else. */
function words(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain)
}

test('the commands on the page end as it says, one after the other', async () => {
  const lines = blocks('sh').flatMap((text) => text.trimEnd().split('\n'))
  expect(lines).toHaveLength(6)
  for (const line of lines) {
    const [, command = '', code] = /^npx @touchstone-suite\/touchstone (.*) # exit (\d+)$/.exec(line) ?? []
    const { code: ended, out, err } = await run(words(command))
    expect([line, ended], out + err).toEqual([line, Number(code)])
  }
})

const tools = ['bash', 'openssl', 'jq', 'sha256sum', 'base64']
const missing = tools.filter((tool) => spawnSync(tool, ['--help']).error !== undefined)

test('openssl and the usual tools check what was signed, as the page says', async ({ skip }) => {
  if (missing.length > 0) skip(`not on this machine: ${missing.join(', ')}`)
  const [script = ''] = blocks('bash')
  const there = script.replaceAll('/tmp/', `${folder}/`)
  const { stdout } = await promisify(execFile)('bash', ['-e', '-o', 'pipefail', '-c', there], { cwd: folder })
  const { out: reported } = await run(['verify', 'touchstone-report', '--format', 'json'])
  const [keyid = ''] = /[0-9a-f]{64}(?=  -)/.exec(stdout) ?? []
  expect(stdout).toMatch(/^Signature Verified Successfully\nrun\.json: OK\nmanifest\.json: OK\n/)
  expect(reported).toContain(`signed by key id ${keyid}`)
})

test('the page explains each line of verify, in its order', () => {
  const explained = [...page.matchAll(/^\| `(\w+)` /gm)].map(([, name = '']) => name)
  expect(explained).toEqual(Object.keys(inspections))
})
