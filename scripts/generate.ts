/**
 * Writes what is generated from the contract's documents. With `--check` nothing is written: the documents
 * are linted, and every file that differs from what would be written is named.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { bundle, documents, lint } from './generate/documents.ts'
import { types } from './generate/types.ts'

async function outputs(): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const name of documents) files.set(`spec/types/${name}.ts`, await types(name, bundle(name)))
  return files
}

function present(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

const files = await outputs()
const drifted = [...files].filter(([path, text]) => present(path) !== text)

if (process.argv.includes('--check')) {
  for (const [path] of drifted) {
    console.error(`${path} is not what its sources generate: run \`npm run generate\` and commit the result.`)
  }
  if (!lint() || drifted.length > 0) process.exitCode = 1
} else {
  for (const [path, text] of drifted) writeFileSync(path, text)
  console.error(
    drifted.length === 0 ? 'Nothing to write.' : `Wrote ${drifted.map(([path]) => path).join(', ')}.`,
  )
}
