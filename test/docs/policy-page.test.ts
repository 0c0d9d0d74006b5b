import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../cli/process.testkit.ts'
import { serverScenarios } from '../../suites/index.ts'
import { knownChecks } from '../../suites/runner/plan/known.ts'
import { loadPolicy } from '../../suites/policy/file.ts'
import { emptyPolicy } from '../../suites/policy/policy.ts'
import { unknownEntries } from '../../suites/policy/stale.ts'
import { readYaml } from '../../suites/config/file/source-map.ts'

const page = readFileSync(new URL('../../docs/policy.md', import.meta.url), 'utf8')
const example = readFileSync(new URL('../../docs/target.example.yaml', import.meta.url), 'utf8')

const blocks = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text)

const home = process.cwd()
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'policy-page-'))
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
  expect(lines).toHaveLength(4)
  for (const line of lines) {
    const [, command = '', code] = /^npx @touchstone-suite\/touchstone (.*) # exit (\d+)$/.exec(line) ?? []
    expect([line, (await run(words(command))).code]).toEqual([line, Number(code)])
  }
})

test('the policies on the page and in the example speak of what there is', () => {
  expect(blocks('yaml')).toHaveLength(1)
  const [text = ''] = blocks('yaml')
  writeFileSync('page.yaml', text)
  const known = knownChecks(serverScenarios, 'standard')
  expect(unknownEntries({ policy: loadPolicy('page.yaml', '2026-11-21'), known })).toEqual([])

  const { policy } = readYaml(example, 'target.example.yaml').value as { policy: object }
  expect(unknownEntries({ policy: { ...emptyPolicy, ...policy }, known })).toEqual([])
})
