/** Makes the generated files. */
import openapiTS from 'openapi-typescript'
import { readFileSync } from 'node:fs'
import { parse, stringify } from 'yaml'
import { astToString, type OpenAPI3 } from 'openapi-typescript'
import { setFiles, setFor } from './clause-sets.ts'
import { bundles, findings, type Tree, type DocumentName } from './documents.ts'
import { writeWhole } from './made-files.ts'
import type { Catalogue, CatalogueOperation } from '../../client/catalogue/catalogue.ts'
import { rulesOf } from '../../simulator/base-rules.ts'
import type { Operation } from '../../simulator/tenant/operations/operation.ts'
import type { Rules } from '../../simulator/rules/tenant-state.ts'
import { defaultInterpretations, newestRevision } from '../../spec/index.ts'
import { refusals } from '../../simulator/edge/refusal.ts'

// Without these, a default makes a member required and a bare object admits no member at all.
const options = { defaultNonNullable: false, emptyObjectsUnknown: true, silent: true }

/** An AsyncAPI document as an OpenAPI one that has nothing but its schemas. */
function schemasOnly({ info, components }: Tree): Tree {
  const { schemas } = components as Tree
  return { openapi: '3.1.0', info, paths: {}, components: { schemas } }
}

/** The text of spec/types/{name}.ts: the declarations of the document, and each of its schemas by name. */
async function types(name: DocumentName, bundled: Tree): Promise<string> {
  const document = 'asyncapi' in bundled ? schemasOnly(bundled) : bundled
  const declarations = astToString(await openapiTS(document as unknown as OpenAPI3, options))
  const { schemas } = document.components as { schemas: Tree }
  const names = Object.keys(schemas).map(
    (schema) => `export type ${schema} = components['schemas']['${schema}']\n`,
  )
  return [
    `// Generated from spec/${name}.yaml by \`npm run generate\`. Do not edit.\n`,
    declarations,
    names.toSorted().join(''),
  ].join('\n')
}

const controlSchema = 'spec/schemas/control.json'

function withRefusalCodes(): string {
  const codes = Object.keys(refusals).map((code) => `        "${code}"`)
  return readFileSync(controlSchema, 'utf8').replace(
    /("RefusalCode": \{[^[]*\[)[^\]]*(\])/,
    (_, head: string, tail: string) => `${head}\n${codes.join(',\n')}\n      ${tail}`,
  )
}

/**
 * The control protocol on its own, for somebody who implements it beside a staging server: the four routes of
 * spec/control.yaml that are tagged with it, relative to a control base address, and nothing of the simulator.
 */

const prefix = '/_sim/v1/tenants/{tenantId}'
const tenant = '#/components/parameters/tenantId'

interface Document {
  paths: Record<string, Tree & { parameters?: { $ref?: string }[] }>
  components: { securitySchemes: Tree; parameters: Tree; responses: Tree }
}

function controlProtocol(): string {
  const { paths, components } = parse(readFileSync('spec/control.yaml', 'utf8')) as Document
  const routes = Object.entries(paths).flatMap(([path, route]) => {
    const kept = ofProtocol(route)
    return path.startsWith(prefix) && kept ? [[path.slice(prefix.length) || '/', kept] as const] : []
  })
  const tree = components.responses
  const names = ['NoToken', 'Foreign', 'NotJson', 'NotThere', 'Invalid']
  const document = {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Touchstone control protocol',
      version: '1.0.0',
      summary: 'Brings about the states of the contract on purpose.',
      description: about,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: 'http://localhost:4010/_sim/v1/tenants/t_1', description: 'A tenant of the simulator.' },
    ],
    tags: [{ name: 'protocol', description: 'The control protocol, `touchstone-control/1`.' }],
    security: [{}, { token: [] }],
    paths: Object.fromEntries(routes),
    components: {
      securitySchemes: components.securitySchemes,
      parameters: { state: components.parameters['state'] },
      responses: Object.fromEntries(names.map((name) => [name, tree[name]])),
    },
  }
  return `# Generated from spec/control.yaml by \`npm run generate\`. Do not edit.\n${stringify(document, { aliasDuplicateObjects: false, lineWidth: 100 })}`
}

const about = [
  'A staging server may speak it in part: a state that it does not know is answered 404, and the checks that need it are then left out, not failed.',
  'Its base address stands in the target file as control.url, its token as control.token.',
  'An answer 201 is the server’s own word that the state holds, and it is judged by it.',
  'The protocol is never used on a production target.',
].join(' ')

const methods = ['get', 'post', 'delete']

/** A route with what the protocol asks of it, or null when it is the simulator's own. */
function ofProtocol(route: Document['paths'][string]): Tree | null {
  const operations = Object.entries(route).filter(
    ([method, operation]) =>
      methods.includes(method) && ((operation as Tree)['tags'] as string[]).includes('protocol'),
  )
  if (operations.length === 0) return null
  const parameters = (route.parameters ?? []).filter(({ $ref }) => $ref !== tenant)
  const made = operations.map(([method, operation]) => [method, narrowed(operation as Tree)] as const)
  return { ...(parameters.length > 0 ? { parameters } : {}), ...Object.fromEntries(made) }
}

/** Without what only a tenant of the simulator has to say of itself. */
function narrowed(operation: Tree): Tree {
  if (operation['operationId'] !== 'readTenant') return { ...operation, tags: ['protocol'] }
  const { responses, ...rest } = operation
  const value = { protocol: 'touchstone-control/1', states: ['chat.paused', 'key.uncertain'], clock: false }
  const schema = { $ref: 'schemas/control.json#/$defs/ControlProtocol' }
  const content = { 'application/json': { schema, examples: { part: { value } } } }
  return {
    ...rest,
    operationId: 'readProtocol',
    description: 'Everything else may be missing.',
    tags: ['protocol'],
    responses: { ...(responses as Tree), 200: { description: 'What this server offers.', content } },
  }
}

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
    (await bundles()).map(async ([name, document]): Promise<readonly File[]> => [
      [`spec/types/${name}.ts`, await types(name, document)],
      [`spec/bundled/${name}.json`, `${JSON.stringify(document, null, 1)}\n`],
    ]),
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

/**
 * The catalogue that the client library and its command line are built with: the simulator's operations as the
 * default interpretations have them, and the newest set of clauses.
 */

/** An operation a line, so that a change shows as the line of its operation. */
function operationsModule(): string {
  const { contract, operations } = catalogue()
  return [
    '// Written by `npm run generate` from the catalogue of the simulator. Do not edit.',
    "import type { Catalogue } from './catalogue.ts'",
    '',
    '/** The operations this package was built with. None of them is a permission: the server decides. */',
    'export const embeddedCatalogue: Catalogue = {',
    `  contract: '${contract}',`,
    '  operations: {',
    ...Object.entries(operations).map(([id, operation]) => `    '${id}': ${JSON.stringify(operation)},`),
    '  },',
    '}',
    '',
  ].join('\n')
}

function catalogue(): Catalogue {
  const rules = rulesOf(defaultInterpretations)
  const rows = rules.catalogue.map((operation) => [operation.id, rowOf(operation, rules)] as const)
  return { contract: newestRevision, operations: Object.fromEntries(rows) }
}

function rowOf(operation: Operation, rules: Rules): CatalogueOperation {
  const { title, scope, kind, destructive } = operation
  return {
    title,
    ...(scope !== null && { scope }),
    write: kind === 'write',
    ...(destructive && { destructive }),
    input: operation.input(rules),
  }
}
