/** The modules that the package is entered by: its exports, its commandEntries, and what is loaded by path. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url))

interface Manifest {
  bin: Readonly<Record<string, string>>
  exports: Readonly<Record<string, string>>
}

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Manifest

/** `./dist/spec/index.js` is made of `spec/index.ts`: its name is `spec/index`. */
const namesOf = (paths: Readonly<Record<string, string>>): readonly string[] =>
  Object.values(paths).flatMap((path) => /^\.\/dist\/(.+)\.js$/.exec(path)?.[1] ?? [])

export const libraries = namesOf(manifest.exports)
export const commandEntries = namesOf(manifest.bin)

export const entries: readonly string[] = [...libraries, ...commandEntries]

/** Entries by name, with their file: `ending` is that of the file. */
export function entryFiles(names: readonly string[], folder: string, ending: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `${folder}/${name}${ending}`]))
}
