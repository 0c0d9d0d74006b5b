/**
 * The control protocol on its own, for somebody who implements it beside a staging server: the four routes of
 * spec/control.yaml that are tagged with it, relative to a control base address, and nothing of the simulator.
 */
import { readFileSync } from 'node:fs'
import { parse, stringify } from 'yaml'
import type { Tree } from './documents.ts'

const prefix = '/_sim/v1/tenants/{tenantId}'
const tenant = '#/components/parameters/tenantId'

interface Document {
  paths: Record<string, Tree & { parameters?: { $ref?: string }[] }>
  components: { securitySchemes: Tree; parameters: Tree; responses: Tree }
}

export function controlProtocol(): string {
  const { paths, components } = parse(readFileSync('spec/control.yaml', 'utf8')) as Document
  const routes = Object.entries(paths).flatMap(([path, route]) => {
    const kept = ofProtocol(route)
    return path.startsWith(prefix) && kept ? [[path.slice(prefix.length) || '/', kept] as const] : []
  })
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
      responses: picked(components.responses, ['NoToken', 'Foreign', 'NotJson', 'NotThere', 'Invalid']),
    },
  }
  return `# Generated from spec/control.yaml by \`npm run generate\`. Do not edit.\n${stringify(document, { aliasDuplicateObjects: false, lineWidth: 100 })}`
}

function picked(tree: Tree, names: readonly string[]): Tree {
  return Object.fromEntries(names.map((name) => [name, tree[name]]))
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
