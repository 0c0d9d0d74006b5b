/** Requests of the control protocol, and what spec/control-protocol.yaml says of their answers. */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { parse } from 'yaml'
import control from '../../spec/schemas/control.json' with { type: 'json' }
import replyRule from '../../spec/schemas/reply-rule.json' with { type: 'json' }

export const token = 'the-token-of-a-staging-server'

export interface ProtocolRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type Case = readonly [route: string, body: unknown, status: number, headers?: Record<string, string>]

/** To a server that can pause agents but `locked`, and has a clock. In this order: a handle is what was entered. */
export const cases: readonly Case[] = [
  ['GET /', undefined, 200],
  ['GET /', undefined, 401, { authorization: '' }],
  ['GET /', undefined, 401, { authorization: 'Bearer the-token-of-another-one' }],
  ['POST /states/chat.paused', { agentId: 'agent_1', later: 'ignored' }, 201],
  ['POST /states/chat.paused', { agentId: 'locked' }, 409],
  ['POST /states/chat.paused', { agentId: 7 }, 400],
  ['POST /states/chat.paused', { milliseconds: -1 }, 400],
  ['POST /states/chat.paused', [], 400],
  ['POST /states/chat.paused', { message: 'x'.repeat(70_000) }, 400],
  ['POST /states/chat.paused', {}, 415, { 'content-type': 'text/plain' }],
  ['POST /states/no.such', {}, 404],
  ['POST /states/toString', {}, 404],
  ['DELETE /states/server.503/chat.paused-1', undefined, 404],
  ['DELETE /states/chat.paused/chat.paused-1', undefined, 200],
  ['DELETE /states/chat.paused/chat.paused-1', undefined, 404],
  ['DELETE /states/chat.paused/%E0%A4%A', undefined, 404],
  ['POST /clock/advance', { ms: 60_000 }, 200],
  ['POST /clock/advance', { ms: -1 }, 400],
]

export const requests: readonly ProtocolRequest[] = cases.map(([route, body, , headers]) => {
  const [method = '', path = ''] = route.split(' ')
  return {
    method,
    path: `/control${path === '/' ? '' : path}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: body === undefined ? '' : JSON.stringify(body),
  }
})

interface Tree {
  readonly $ref?: string
  readonly [member: string]: unknown
}

const document = parse(
  readFileSync(new URL('../../spec/control-protocol.yaml', import.meta.url), 'utf8'),
) as Tree
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
addFormats.default(ajv)
ajv.addSchema(replyRule).addSchema(control)

const at = (tree: Tree, path: readonly string[]): Tree =>
  path.reduce<Tree>((inner, name) => inner[name] as Tree, tree)

/** What is wrong with an answer; null where the document allows it. */
export function problemOf({ method, path }: ProtocolRequest, status: number, body: unknown): unknown {
  const route = path
    .replace('/control', '')
    .replace(/^$/, '/')
    .replace(/^\/states\/[^/]+(\/[^/]+)?$/, (_, handle) => `/states/{state}${handle ? '/{handle}' : ''}`)
  const responses = at(document, ['paths', route, method.toLowerCase(), 'responses'])
  let response = responses[String(status)] as Tree | undefined
  if (response?.$ref) response = at(document, response.$ref.slice(2).split('/'))
  if (!response) return `${method} ${route} has no response ${status}`
  const { $ref = '' } = at(response, ['content', 'application/json', 'schema'])
  const validate = ajv.getSchema($ref.replace('schemas/control.json', control.$id))
  if (!validate) return `there is no schema ${$ref}`
  return validate(body) ? null : validate.errors
}
