import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const folder = import.meta.dirname
const files = globSync('{*,!(command-line)/*}.ts', { cwd: folder }).filter(
  (name) => !/\.(test|testkit)\.ts$/.test(name),
)

const sourceOf = (name: string): string =>
  readFileSync(join(folder, name), 'utf8').replace(/\/\*[^]*?\*\//g, '')

const loading = /^(?:import|export)\b[^']*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\(\s*'([^']+)'/gm

/** What a file names to load, whether as a type or not; a file of the project as its path from here. */
const namedIn = (name: string): string[] =>
  [...sourceOf(name).matchAll(loading)]
    .map(([, from = '', alone = '', later = '']) => from + alone + later)
    .map((named) => (named.startsWith('.') ? join(dirname(name), named) : named))

test('there is a library to look at', () => {
  expect(files).toContain('index.ts')
  expect(namedIn('index.ts')).toContain('service-client.ts')
  expect(namedIn('http/refusal.ts')).toContain('../spec/errors.ts')
})

test.for(files)('LIB-THIN: %s loads nothing but the library and the contract', (name) => {
  const others = namedIn(name).filter((named) => !files.includes(named) && !named.startsWith('../spec/'))
  expect(others).toEqual([])
})

test.for(files)('%s uses nothing that only Node.js has', (name) => {
  expect(sourceOf(name)).not.toMatch(/\b(process|Buffer|require|__dirname|setImmediate|global)\b[.(]/)
})
