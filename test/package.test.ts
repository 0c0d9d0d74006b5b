import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packCopy } from '../scripts/package/pack-copy.ts'

const run = promisify(execFile)
const root = new URL('..', import.meta.url).pathname
let folder: string
let tarball: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-package-'))
  tarball = packCopy()
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  await run('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: folder })
}, 300_000)

/** The last line does not compile: where types are missing or `any`, that is no error, and this is one. */
const typed = `
import { clauses, type ClauseId } from '@touchstone-suite/touchstone/spec'
import { createSimulator, type SimulatorOptions } from '@touchstone-suite/touchstone/simulator'
import { bareTarget, type Target } from '@touchstone-suite/touchstone/suites'
import * as client from '@touchstone-suite/touchstone/client'
import * as control from '@touchstone-suite/touchstone/control'
import type { Exporter } from '@touchstone-suite/touchstone/reports'
const id: ClauseId = 'IDEM-REPLAY-HEADER'
const target: Target = bareTarget({ baseUrl: 'http://localhost', apiKey: 'k', agent: 'a' })
const options: SimulatorOptions = { seed: 'one' }
export const exporter: Exporter = { name: id, file: 'f', render: ({ record }) => record.conformance }
export const started = createSimulator(options).then(({ url }) => url.length)
export const all = [clauses[id].text, target.name, Object.keys(client), Object.keys(control)]
// @ts-expect-error
export const unknown: ClauseId = 'NO-SUCH-CLAUSE'
`

afterAll(() => rm(folder, { recursive: true, force: true }))

/** A command as npx finds it, which takes longer to start than any of them. */
const installed = (command: string): string => join(folder, 'node_modules/.bin', command)

/** The text of a file of the package and of all that it imports at once. */
async function loadedBy(file: string, seen = new Set<string>()): Promise<string> {
  if (seen.has(file)) return ''
  seen.add(file)
  const text = await readFile(file, 'utf8')
  const imported = [...text.matchAll(/^(?:import|export)\b[^"']*["'](\.[^"']+)["']/gm)]
  const others = imported.map(([, path = '']) => loadedBy(join(dirname(file), path), seen))
  return text + (await Promise.all(others)).join('')
}

test('the packed package, installed elsewhere, checks the simulator', async () => {
  const { stdout } = await run('npx', ['touchstone', 'check', 'simulator', '--profile', 'smoke'], {
    cwd: folder,
  })
  expect(stdout).toContain('partial (smoke profile) · gate passed')
  const record: unknown = JSON.parse(await readFile(join(folder, 'touchstone-report', 'run.json'), 'utf8'))
  expect(record).toMatchObject({ conformance: 'partial', exitCode: 0 })
})

test('every document comes with it, and no link of them leads outside', async () => {
  const place = join(folder, 'node_modules/@touchstone-suite/touchstone')
  const pages = (await readdir(place, { recursive: true })).filter((name) => name.endsWith('.md'))
  const broken = await Promise.all(
    pages.map(async (page) => {
      const text = (await readFile(join(place, page), 'utf8')).replaceAll(/^```[^]*?^```/gm, '')
      // Pictures stay in the repository, where a registry's page takes them from.
      const linked = text.matchAll(/\]\((?!https?:|#|(?:docs\/)?images\/)([^)#\s]+)/g)
      const links = [...linked].map(([, link = '']) => link)
      return links
        .filter((link) => !existsSync(join(place, dirname(page), link)))
        .map((link) => `${page}: ${link}`)
    }),
  )

  expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/check.md', 'docs/client.md']))
  expect(broken.flat()).toEqual([])
})

test('what its commands print names no file that it does not hold', async () => {
  const place = join(folder, 'node_modules/@touchstone-suite/touchstone')
  const code = (await readdir(join(place, 'dist'), { recursive: true })).filter((name) =>
    name.endsWith('.js'),
  )
  const texts = await Promise.all(code.map((name) => readFile(join(place, 'dist', name), 'utf8')))
  const named = texts.flatMap((text) => text.match(/\b(?:docs|examples)\/[\w/-]+\.\w+/g) ?? [])
  expect(named).toContain('docs/security.md')
  expect(named.filter((name) => !existsSync(join(place, name)))).toEqual([])
})

test('the client comes with it as a command', async () => {
  const { stdout } = await run(installed('service-client'), ['--version'], { cwd: folder })
  expect(stdout).toMatch(/^\d+\.\d+\.\d+, contract \d{4}-\d{2} with \d+ operations\n$/)
})

test('it writes the documents of the contract under the word of a vendor', async () => {
  await run(installed('touchstone'), ['spec', '--vendor', 'acme', '--out', 'api'], { cwd: folder })
  expect(await readFile(join(folder, 'api/openapi.yaml'), 'utf8')).toContain('X-Acme-Idempotent-Replay')
  expect(await readFile(join(folder, 'api/asyncapi.json'), 'utf8')).toContain('x-acme-signature')
})

test('its rooms can be imported by name', async () => {
  const rooms = ['spec', 'simulator', 'control', 'suites', 'client', 'reports'].map(
    (room) => `import '@touchstone-suite/touchstone/${room}'`,
  )
  await writeFile(join(folder, 'rooms.mjs'), `${rooms.join('\n')}\nconsole.log('imported')\n`)
  const { stdout } = await run(process.execPath, ['rooms.mjs'], { cwd: folder })
  expect(stdout.trim()).toBe('imported')
})

test('its types can be used by a program in strict TypeScript', async () => {
  await writeFile(join(folder, 'typed.ts'), typed)
  const tsc = join(root, 'node_modules/.bin/tsc')
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node']
  const types = ['--typeRoots', join(root, 'node_modules/@types')]
  const { stdout } = await run(tsc, [...options, ...types, 'typed.ts'], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  )
  expect(stdout).toBe('')
})

test('every name that it gives has its file, and only those for vitest need vitest', async () => {
  const home = join(folder, 'node_modules/@touchstone-suite/touchstone')
  const { exports } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as {
    exports: Record<string, string>
  }
  const missing = Object.values(exports).filter((path) => !existsSync(join(home, path)))
  expect(missing).toEqual([])
  // What was imported above was imported without it.
  expect(existsSync(join(folder, 'node_modules', 'vitest'))).toBe(false)
  const help = run(process.execPath, ['--eval', "import('@touchstone-suite/touchstone/simulator/vitest')"], {
    cwd: folder,
  })
  await expect(help).rejects.toThrow("Cannot find package 'vitest'")
})

test('it is small: its sources are bundled, and are not in the source maps', async () => {
  const files = await readdir(join(folder, 'node_modules/@touchstone-suite/touchstone'), {
    recursive: true,
    withFileTypes: true,
  })
  expect(files.filter((file) => file.isFile()).length).toBeLessThanOrEqual(250)
  expect(statSync(tarball).size).toBeLessThanOrEqual(2_000_000)
})

test('the client loads nothing that only Node.js has', async () => {
  const home = join(folder, 'node_modules/@touchstone-suite/touchstone', 'dist')
  const client = await loadedBy(join(home, 'client/index.js'))
  expect(client).toContain('sendMessage')
  expect(client).not.toMatch(/from "node:/)
})

test('it holds no tests, and no sources but examples', async () => {
  const files = await readdir(join(folder, 'node_modules/@touchstone-suite/touchstone'), { recursive: true })
  expect(
    files.filter((name) => /\.test\.|(?<!\.d)\.ts$/.test(name) && !/^(examples|.*node_modules)\//.test(name)),
  ).toEqual([])
})

test.for([
  ['cli/bin.ts', 'check', 'simulator'],
  ['scripts/generate.ts', '--if-changed'],
])('in a clone that was not prepared, %s says in one line what to run', async (words) => {
  const clone = join(folder, 'clone')
  await cp(join(root, 'scripts'), join(clone, 'scripts'), { recursive: true })
  const ended = run(process.execPath, [join(clone, 'scripts/start.cjs'), ...words], { cwd: folder })
  await expect(ended).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^touchstone: .* run `npm ci` .*\n$/) as string,
  })
})
