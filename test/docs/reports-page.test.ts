import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../cli/process.testkit.ts'
import { bundleFiles } from '../../reports/bundle/names.ts'
import { formats, reportFiles } from '../../reports/index.ts'

const page = readFileSync(new URL('../../docs/reports.md', import.meta.url), 'utf8')

const blocks = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text)

const home = process.cwd()
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reports-page-'))
  process.chdir(folder)
})
afterAll(() => {
  process.chdir(home)
  rmSync(folder, { recursive: true })
})

test('the commands on the page end as it says, one after the other', async () => {
  const [text = ''] = blocks('ts')
  const reports = new URL('../../reports/index.ts', import.meta.url).href
  writeFileSync('owners.ts', text.replace('@touchstone-suite/touchstone/reports', reports))
  const lines = blocks('sh').flatMap((block) => block.trimEnd().split('\n'))
  expect(lines).toHaveLength(6)
  const printed: string[] = []
  for (const line of lines) {
    const [, command = '', code] = /^npx @touchstone-suite\/touchstone (.*) # exit (\d+)$/.exec(line) ?? []
    const { err, ...ended } = await run(command.replaceAll("'", '').split(' '))
    expect([line, ended.code], err).toEqual([line, Number(code)])
    printed.push(ended.out)
  }
  const [, quoted = 'nothing'] = /so this is not coverage.*?: "([^"]+)"/.exec(page) ?? []
  expect(printed.join('')).toContain(quoted)
  expect(existsSync('reports/junit.xml')).toBe(true)
})

test('the table has every file of a run, and the page every format', () => {
  const rows = [...page.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name)
  const folders = ['counterexamples/', 'evidence/', 'shards/']
  expect(rows.toSorted()).toEqual([...bundleFiles, ...reportFiles, ...folders].toSorted())
  const unnamed = formats.filter(
    ({ name, file }) => !page.includes(`\`${file}\``) && !page.includes(`\`${name}\``),
  )
  expect(
    unnamed.map(({ name }) => name),
    'name these formats in docs/reports.md',
  ).toEqual([])
})

test('the schemas that it links are there, and in the package by the name that it gives', () => {
  const { exports } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    exports: Readonly<Record<string, string>>
  }
  const linked = [...page.matchAll(/\]\(\.\.\/(reports\/bundle\/schema\/[^)]+)\)/g)].map(
    ([, path = '']) => path,
  )
  expect(linked).toHaveLength(8)
  for (const path of linked) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    expect(exports[`./${name}`]).toBe(`./${path}`)
    const { $id } = JSON.parse(
      readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8'),
    ) as {
      $id: string
    }
    expect($id).toBe(`https://touchstone.example/${name}`)
  }
})
