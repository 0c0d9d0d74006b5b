/** Holds the files of deploy/ against the schemas of Compose and Kubernetes; a planted mistake in each has to be found. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { importTool, installTools } from '../tools.ts'

const root = join(import.meta.dirname, '../..')
const deploy = join(root, 'deploy')

/** Rules on the order of keys and on quotes, which a formatter sets. */
const style = [
  'service-keys-order',
  'services-alphabetical-order',
  'top-level-properties-order',
  'no-quotes-in-volumes',
]

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
}

type Model = new (manifest: Manifest) => { validate: () => void }

const nodeRun = (script: string, words: readonly string[], cwd: string): string => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], {
    cwd,
    encoding: 'utf8',
  })
  return status === 0 ? '' : `${stdout}${stderr}`.trim() || `${script} ended with ${status}`
}

/** What dclint, which has the schema of the Compose specification, says of a file; empty: nothing. */
function composeProblems(tools: string, folder: string, text: string): string {
  const rules = Object.fromEntries(style.map((rule) => [rule, 0]))
  writeFileSync(join(folder, 'rules.json'), JSON.stringify({ rules }))
  writeFileSync(join(folder, 'compose.yaml'), text)
  const dclint = join(tools, 'node_modules/dclint/bin/dclint.cjs')
  return nodeRun(dclint, ['--config', 'rules.json', '--max-warnings', '0', 'compose.yaml'], folder)
}

/** The schemas say what is missing or has a wrong value, the types which key there is not. */
async function manifestProblems(tools: string, folder: string, text: string): Promise<string> {
  const lines: string[] = []
  for (const [at, document] of parseAllDocuments(text).entries()) {
    const manifest = document.toJS() as Manifest
    const { apiVersion, kind } = manifest
    const file = join(tools, 'node_modules/kubernetes-models', apiVersion, 'index.js')
    const models = (await importTool(tools, file)) as Record<string, Model>
    const Kind = models[kind]
    if (!Kind) return `${apiVersion} has no ${kind}`
    try {
      new Kind(manifest).validate()
    } catch (error) {
      return `${kind}: ${error instanceof Error ? error.message : String(error)}`
    }
    lines.push(`import type { I${kind} as Kind${at} } from 'kubernetes-models/${apiVersion}'`)
    lines.push(`export const manifest${at}: Kind${at} = ${JSON.stringify(manifest, null, 2)}`)
  }
  writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'))
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--types',
    '',
  ]
  return nodeRun(join(root, 'node_modules/.bin/tsc'), [...options, 'manifests.ts'], folder)
}

interface Kind {
  readonly problems: (tools: string, folder: string, text: string) => string | Promise<string>
  /** A right word, and a wrong one. */
  readonly plant: readonly [string, string]
}

const kinds: Readonly<Record<string, Kind>> = {
  'compose.yaml': { problems: composeProblems, plant: ['read_only', 'readonly'] },
  'compose.postgres.yaml': { problems: composeProblems, plant: ['service_healthy', 'healthy'] },
  'kubernetes.yaml': {
    problems: manifestProblems,
    plant: ['readOnlyRootFilesystem', 'readOnlyRootFileSystem'],
  },
}

/** Prints a line for each file. Throws with what is wrong in one. */
export async function validate(): Promise<void> {
  const tools = installTools(join(import.meta.dirname, 'tools'))
  // Within the tools, where TypeScript finds their types.
  const folder = mkdtempSync(join(tools, 'validate-'))
  try {
    for (const [file, { problems, plant }] of Object.entries(kinds)) {
      const text = readFileSync(join(deploy, file), 'utf8')
      const found = await problems(tools, folder, text)
      if (found !== '') throw new Error(`deploy/${file} is invalid:\n${found}`)
      if ((await problems(tools, folder, text.replace(...plant))) === '')
        throw new Error(
          `deploy/${file} with ${plant[1]} for ${plant[0]} passes: the validation finds nothing`,
        )
      console.log(`deploy/${basename(file)}: valid`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
