import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { rigs } from './rigs.ts'

const root = join(import.meta.dirname, '..')

test('without a name it lists every rig with one line of help', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'lab/main.ts')])
  for (const [name, { help }] of Object.entries(rigs))
    expect(stdout).toMatch(new RegExp(`^  ${name} +${help}$`, 'm'))
})

test('every folder with a main.ts is in the table', () => {
  const folders = globSync('*/main.ts', { cwd: import.meta.dirname }).map((path) =>
    path.replace(/\/main.ts$/, ''),
  )
  expect(folders.toSorted()).toEqual(Object.keys(rigs).toSorted())
})

test('every npm script and every rig that a document or CI names exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
  const paths = globSync(['*.md', 'docs/**/*.md', '.ci/run'], { cwd: root })
  const text = paths.map((path) => readFileSync(join(root, path), 'utf8')).join('\n')
  const named = (pattern: RegExp): ReadonlySet<string> =>
    new Set([...text.matchAll(pattern)].map(([, name = '']) => name))
  const [run, started] = [named(/npm run (?:-s )?([\w:-]+)/g), named(/npm run (?:-s )?lab -- ([a-z][\w-]*)/g)]
  expect([...run].filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  expect([...started].toSorted()).toEqual(Object.keys(rigs).toSorted())
})
