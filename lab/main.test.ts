import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rigs } from './rigs.ts'

const root = join(import.meta.dirname, '..')

interface Ended {
  readonly code: unknown
  readonly out: string
  readonly err: string
}

const lab = (...words: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, [join(root, 'lab/main.ts'), ...words], (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    )
  })

test('without a name it lists every rig with one line of help', async () => {
  const { code, out } = await lab()
  expect(code).toBe(0)
  for (const [name, { help }] of Object.entries(rigs))
    expect(out).toMatch(new RegExp(`^  ${name} +${help}$`, 'm'))
})

test('an unknown name ends it with exit code 2 and the names there are', async () => {
  const { code, err } = await lab('sedes')
  expect(code).toBe(2)
  expect(err).toBe(`error: there is no rig sedes; the rigs are ${Object.keys(rigs).join(', ')}.\n`)
})

test('a rig gets the options after its name', async () => {
  const { code, err } = await lab('seeds', '--seeds', 'x')
  expect({ code, err }).toEqual({ code: 2, err: 'error: --seeds x: give a whole number above 0.\n' })
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
