/**
 * Writes what is generated from the contract's documents and tables; all but two of these files are not in git.
 * `--if-changed`: only where a source has changed since. `--check`: writes nothing, lints the documents, and names each
 * file in git that is not what would be written. `--clause-set <revision>`: publishes the clauses that have a suite as the
 * set of that revision.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { madeFiles, writeWhole } from './generate/made-files.ts'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const { values } = parseArgs({
  options: {
    'if-changed': { type: 'boolean' },
    check: { type: 'boolean' },
    'clause-set': { type: 'string' },
  },
})

/** Of the sources that they were made of. */
const digestFile = 'spec/types/.digest'

function digestOfSources(): string {
  const patterns = ['{spec,simulator}/**/*.{ts,json,yaml}', 'scripts/generate{,/*}.ts', 'package-lock.json']
  const sources = globSync(patterns, { exclude: (name) => name.endsWith('.test.ts') })
  const made = new Set(madeFiles)
  const digest = createHash('sha256')
  for (const path of sources.map((one) => one.replaceAll('\\', '/')).sort())
    if (!made.has(path)) digest.update(`${path}\0`).update(readFileSync(path))
  return digest.digest('hex')
}

const isCurrent = (): boolean =>
  [digestFile, ...madeFiles].every((path) => existsSync(path)) &&
  readFileSync(digestFile, 'utf8') === digestOfSources()

if (!values['if-changed'] || !isCurrent()) {
  // Loads what makes them, which takes longer than to see that they are current.
  const { check, generate } = await import('./generate/outputs.ts')
  if (values.check) process.exitCode = (await check()) ? 0 : 1
  else {
    await generate(values['clause-set'])
    writeWhole(digestFile, digestOfSources())
  }
}
