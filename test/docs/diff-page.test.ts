import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../cli/process.testkit.ts'
import { kindWords } from '../../reports/diff/kinds.ts'

const page = readFileSync(new URL('../../docs/diff.md', import.meta.url), 'utf8')
const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, text = '']) => text)

const home = process.cwd()
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'diff-page-'))
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
  const lines = blocks.flatMap((text) => text.trimEnd().split('\n'))
  expect(lines).toHaveLength(10)
  for (const line of lines) {
    const [, command = '', code] = /^npx @touchstone-suite\/touchstone (.*) # exit (\d+)$/.exec(line) ?? []
    const { code: ended, out, err } = await run(words(command))
    expect([line, ended], out + err).toEqual([line, Number(code)])
  }
})

test('the page has every kind of change, in the order in which they are listed, with what it stops', () => {
  const codes = { worse: '1', less: '3', none: '' }
  const reported = [...page.matchAll(/^\| `([a-z ]+)` +\|.*\| +(\d?) *\|$/gm)].map(([, kind, code]) => [
    kind,
    code,
  ])
  expect(reported).toEqual(Object.entries(kindWords).map(([kind, { weight }]) => [kind, codes[weight]]))
})
