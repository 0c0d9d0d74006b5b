/**
 * What docs/command-line.md shows is what comes: each command in its order, and what it prints to both outputs. With
 * `TAKE_OUTPUT=1` the page is written anew.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isCatalogue } from '../../client/command-line/settings/catalogue-file.ts'
import { runCommandLine } from '../../client/command-line/main.ts'
import { testIo } from '../../client/command-line/process.testkit.ts'
import { createSimulator, type Simulator } from '../../simulator/index.ts'

const page = resolve(import.meta.dirname, '../../docs/command-line.md')
const shownAddress = 'http://127.0.0.1:4010'
const shownHome = '/home/ida'

let simulator: Simulator
let home: string
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'command-line-page-'))
  const clock = { mode: 'frozen', at: Date.UTC(2026, 10, 2, 9) } as const
  simulator = await createSimulator({ seed: 'page', clock, tasks: { by: 'at-once' } })
  const files = {
    'key.txt': simulator.tenant.keys.main,
    'prices.csv': 'name,price',
    'faq.txt': 'Warm water.',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), `${text}\n`)
})
afterAll(async () => {
  await simulator.close()
  rmSync(home, { recursive: true, force: true })
})

/** Of a line as a shell takes it, as far as the page needs it: both kinds of quotes, variables, a file to read. */
function wordsOf(line: string, variables: Readonly<Record<string, string>>): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain = '']) =>
      quoted ??
      plain
        .replace(/^\$(\w+)$/, (_, name: string) => variables[name] ?? '')
        .replace(/^\w+\.(?:csv|txt)$/, (name) => join(home, name)),
  )
}

/** What a command printed, as the page shows it. */
async function printedBy(line: string, variables: Record<string, string>): Promise<string> {
  const [command = '', file] = line.split(' < ')
  const { url, tenant } = simulator
  let printed = ''
  const write = (text: string): void => void (printed += text)
  const io = testIo({
    home,
    out: write,
    err: write,
    env: { SERVICE_BASE_URL: url, SERVICE_API_KEY: tenant.keys.main },
    read: () => Promise.resolve(readFileSync(join(home, file ?? ''), 'utf8')),
  })
  await runCommandLine(wordsOf(command, variables).slice(1), io)
  for (const [, kind = '', id = ''] of printed.matchAll(/"(task|approval)_id":\s?"(\w+)"/g))
    variables[kind.toUpperCase()] = id
  return printed.replaceAll(url, shownAddress).replaceAll(home, shownHome)
}

test('the page of the command line shows what its commands print', async () => {
  const text = readFileSync(page, 'utf8')
  const { agents } = simulator.tenant
  const variables: Record<string, string> = { AGENT: agents.plain }
  let taken = text
  for (const [block, commands = ''] of text.matchAll(/^```console\n([^]*?)^```$/gm)) {
    const lines = commands.split('\n').filter((line) => line.startsWith('$ '))
    let shown = ''
    for (const line of lines) shown += `${line}\n${await printedBy(line.slice(2), variables)}`
    taken = taken.replace(block, () => `\`\`\`console\n${shown}\`\`\``)
  }
  if (process.env['TAKE_OUTPUT']) writeFileSync(page, taken)

  expect(taken).toContain('Held for the approval of the owner')
  expect(taken).toBe(readFileSync(page, 'utf8'))
})

test('the catalogue of another service on the page is one', () => {
  const [, shown = ''] = /```json\n([\s\S]*?)```/.exec(readFileSync(page, 'utf8')) ?? []
  expect(isCatalogue(JSON.parse(shown))).toBe(true)
})
