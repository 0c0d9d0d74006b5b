/**
 * Writes what is generated from the contract's documents and tables. With `--check` nothing is written: every
 * file that differs from what would be written is named, and the documents are linted. With
 * `--clause-set <revision>` the clauses that have a suite are published as the set of that revision.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { setFiles, setFor } from './generate/clause-sets.ts'
import { controlProtocol } from './generate/control-protocol.ts'
import { bundle, documents, findings, published, type DocumentName } from './generate/documents.ts'
import { controlSchema, withRefusalCodes } from './generate/refusal-codes.ts'
import { operationsModule } from './generate/operations.ts'
import { types } from './generate/types.ts'

type Bundles = Record<DocumentName, ReturnType<typeof bundle>>

/** Every generated file by its path, with the text it should have. */
async function outputs(): Promise<[path: string, text: string][]> {
  const codes = withRefusalCodes()
  // The documents are bundled with this file.
  if (!checking && codes !== present(controlSchema)) writeFileSync(controlSchema, codes)
  const bundles = Object.fromEntries(documents.map((name) => [name, bundle(name)])) as Bundles
  const declared = documents.map(async (name): Promise<[string, string]> => {
    return [`spec/types/${name}.ts`, await types(name, await bundles[name])]
  })
  const whole = published.map(async (name): Promise<[string, string]> => {
    return [`spec/bundled/${name}.json`, `${JSON.stringify(await bundles[name], null, 1)}\n`]
  })
  return [
    [controlSchema, codes],
    ...(await Promise.all([...declared, ...whole])),
    ...setFiles(revision === undefined ? undefined : setFor(revision)),
    ['spec/control-protocol.yaml', controlProtocol()],
    ['client/catalogue/operations.ts', operationsModule()],
  ]
}

function present(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** The revision to publish, if one is asked for. */
function publishing(): string | undefined {
  const at = process.argv.indexOf('--clause-set')
  return at < 0 ? undefined : (process.argv[at + 1] ?? '')
}

const revision = publishing()
const checking = process.argv.includes('--check')
const [files, problems] = await Promise.all([outputs(), checking ? findings() : ''])
const drifted = files.filter(([path, text]) => present(path) !== text)

if (checking) {
  for (const [path] of drifted)
    console.error(`${path} is not what its sources generate: run \`npm run generate\` and commit the result.`)
  if (problems !== '') console.error(problems)
  process.exitCode = drifted.length > 0 || problems !== '' ? 1 : 0
} else {
  for (const [path, text] of drifted) writeFileSync(path, text)
  console.error(
    drifted.length === 0 ? 'Nothing to write.' : `Wrote ${drifted.map(([path]) => path).join(', ')}.`,
  )
}
