import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../cli/process.testkit.ts'

const page = readFileSync(new URL('../../docs/clause-sets.md', import.meta.url), 'utf8')
const [, file = ''] = /^```yaml\n# next\.yaml\n(.*?)^```/ms.exec(page) ?? []

const home = process.cwd()
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'clause-sets-page-'))
  process.chdir(folder)
  writeFileSync('next.yaml', file)
})
afterAll(() => {
  process.chdir(home)
  rmSync(folder, { recursive: true })
})

test('the commands on the page end as it says, one after the other', async () => {
  const commands = [...page.matchAll(/^npx @touchstone-suite\/touchstone (.*) # exit (\d)$/gm)]
  expect(commands).toHaveLength(5)
  const printed: string[] = []
  for (const [line, command = '', code] of commands) {
    const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain)
    const { code: ended, out, err } = await run(words)
    expect([line, ended], out + err).toEqual([line, Number(code)])
    printed.push(out)
  }
  const move = 'warn → fail, now a MUST'
  expect(printed.map((out) => out.includes(move))).toEqual([false, true, true, false, false])
  const { contract } = JSON.parse(readFileSync('next-report/run.json', 'utf8'))
  expect(contract.definition).toMatchObject({ name: '2027-03-draft.1', base: '2026-11' })
})
