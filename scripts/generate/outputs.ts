/** Makes the generated files. */
import { readFileSync } from 'node:fs'
import { setFiles, setFor } from './clause-sets.ts'
import { controlProtocol } from './control-protocol.ts'
import { bundle, documents, findings } from './documents.ts'
import { writeWhole } from './made-files.ts'
import { operationsModule } from './operations.ts'
import { controlSchema, withRefusalCodes } from './refusal-codes.ts'
import { types } from './types.ts'

type File = readonly [path: string, text: string]

/** Those in git. `revision`: of a set of clauses that is published with them. */
const filesInGit = (revision?: string): readonly File[] => [
  [controlSchema, withRefusalCodes()],
  ...setFiles(revision === undefined ? undefined : setFor(revision)),
]

/** Writes all of them, and prints which have changed. */
export async function generate(revision?: string): Promise<void> {
  // The documents are bundled with them.
  const before = written(filesInGit(revision))
  const bundled = await Promise.all(
    documents.map(async (name): Promise<readonly File[]> => {
      const document = await bundle(name)
      return [
        [`spec/types/${name}.ts`, await types(name, document)],
        [`spec/bundled/${name}.json`, `${JSON.stringify(document, null, 1)}\n`],
      ]
    }),
  )
  const after = written([
    ...bundled.flat(),
    ['spec/control-protocol.yaml', controlProtocol()],
    ['client/catalogue/operations.ts', operationsModule()],
  ])
  console.error(`Generated ${[...before, ...after].join(', ') || 'nothing new'}.`)
}

/** Writes those that differ, and returns their paths. */
function written(files: readonly File[]): readonly string[] {
  const drifted = files.filter(([path, text]) => present(path) !== text)
  for (const [path, text] of drifted) writeWhole(path, text)
  return drifted.map(([path]) => path)
}

function present(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** Prints what is wrong with the documents and the files in git. Resolves with whether nothing is. */
export async function check(): Promise<boolean> {
  const problems = await findings()
  if (problems !== '') console.error(problems)
  const drifted = filesInGit().filter(([path, text]) => present(path) !== text)
  for (const [path] of drifted)
    console.error(`${path} is not what its sources generate: run \`npm run generate\` and commit the result.`)
  return problems === '' && drifted.length === 0
}
