/** Results as they come, in a file: a measurement that was broken off goes on where it stood. */
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nameOf, type Result } from './jobs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const file = join(root, 'node_modules/.cache/touchstone-power.ndjson')

/** SHA-256, hex, the first twelve digits, over all that decides what is measured. */
export function versionOfSources(): string {
  const hash = createHash('sha256')
  const sources = globSync('{spec,simulator,suites,cli,lab/power}/**/*.ts', { cwd: root }).sort()
  for (const path of sources)
    if (!path.endsWith('.test.ts')) hash.update(path).update(readFileSync(join(root, path)))
  return hash.digest('hex').slice(0, 12)
}

export interface Kept {
  readonly results: ReadonlyMap<string, Result>
  add(result: Result): void
}

/** What is known of this version; what is known of another counts for nothing, and is forgotten. */
export function keptOf(version: string): Kept {
  const [first, ...lines] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const known = first === version ? lines.filter((line) => line !== '') : []
  if (first !== version) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${version}\n`)
  }
  const results = new Map<string, Result>()
  const keep = (result: Result): void => void results.set(nameOf(result), result)
  for (const line of known) keep(JSON.parse(line) as Result)
  return {
    results,
    add(result) {
      keep(result)
      appendFileSync(file, `${JSON.stringify(result)}\n`)
    },
  }
}
