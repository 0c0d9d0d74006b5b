/** The documents of spec/, each bundled into one object by redocly. */
import { execFile } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chatErrors } from '../../spec/errors.ts'

export const documents = ['openapi', 'asyncapi', 'control'] as const

export type DocumentName = (typeof documents)[number]

/** A bundled document, or any object inside one. */
export type Tree = { [member: string]: unknown }

const source = (name: DocumentName): string => `spec/${name}.yaml`

const run = promisify(execFile)
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
const cli = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'))
const redocly = (command: string, ...args: string[]) =>
  run(process.execPath, [cli, command, '--config', 'spec/redocly.yaml', ...args], { env })

/** What redocly finds wrong with the documents; empty when they are clean. */
export async function findings(): Promise<string> {
  try {
    await redocly('lint', ...documents.map(source), 'spec/control-protocol.yaml')
    return ''
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    return `${stdout}${stderr}`
  }
}

/** Each document in itself: what it refers to in spec/schemas/ stands in its components. */
export async function bundles(): Promise<readonly (readonly [DocumentName, Tree])[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bundle-'))
  try {
    // Redocly takes longer to start than to bundle.
    await redocly('bundle', ...documents.map(source), '--ext', 'json', '-o', folder)
    const text = (name: DocumentName): string => readFileSync(join(folder, `${name}.json`), 'utf8')
    return documents.map((name) => [name, bundled(name, JSON.parse(text(name)) as Tree)] as const)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Within an extension redocly leaves references to definitions of a schema file that is gone in the bundle: each becomes
 * one to the component of that name, or the definition itself.
 */
function bundled(of: DocumentName, document: Tree): Tree {
  const { schemas = {} } = (document['components'] ?? {}) as { schemas?: Tree }
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    const { $ref } = value as { $ref?: unknown }
    const [, name] = /^(?:\w+\.json)?#\/\$defs\/(\w+)$/.exec(String($ref)) ?? []
    if (name === undefined)
      return Object.fromEntries(Object.entries(value).map(([member, inside]) => [member, visit(inside)]))
    return name in schemas ? { $ref: `#/components/schemas/${name}` } : visit(definitions[name])
  }
  return of === 'openapi' ? withErrorExamples(visit(document) as Tree) : (visit(document) as Tree)
}

/** Adds an example of each chat error code that spec/openapi.yaml has none of. */
function withErrorExamples(document: Tree): Tree {
  const at = (tree: Tree, member: string): Tree => tree[member] as Tree
  const responses = ['paths', '/api/v1/chat/{agentId}', 'post', 'responses'].reduce(at, document)
  for (const [code, { status, meaning, advice }] of Object.entries(chatErrors)) {
    const examples = [status, 'content', 'application/json', 'examples'].map(String).reduce(at, responses)
    examples[code] ??= { summary: advice, value: { error: code, message: `${meaning} ${advice}` } }
  }
  return document
}

/** Of all schema files: no name is defined twice. */
const definitions: Tree = Object.assign(
  {},
  ...readdirSync('spec/schemas').map((file) => {
    const { $defs } = JSON.parse(readFileSync(`spec/schemas/${file}`, 'utf8')) as { $defs?: Tree }
    return $defs
  }),
)
