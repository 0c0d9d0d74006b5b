/** Every answer of a management route is one that spec/openapi.yaml has, with a body of the schema it names there. */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import webhook from '../../../spec/schemas/webhook.json' with { type: 'json' }
import { isObject, type Json, type JsonObject } from '../../json.ts'
import { openManager, plainFields, type How, type Manager } from './management.testkit.ts'

const ajv = new Ajv2020({ strict: true })
addFormats.default(ajv)
ajv.addKeyword({ keyword: 'x-gap', schemaType: ['string', 'array'] })
ajv.addSchema(webhook)
const document = parse(readFileSync(new URL('../../../spec/openapi.yaml', import.meta.url), 'utf8')) as Json

const at = (value: Json, ...path: readonly (string | number)[]): Json =>
  path.reduce<Json>((inner, step) => (isObject(inner) ? (inner[step] ?? null) : null), value)

/** The name of the schema of an answer; null for an answer without a body, undefined for one that is not documented. */
function schemaOf(path: string, method: string, status: number): string | null | undefined {
  const documented = at(document, 'paths', path, method.toLowerCase(), 'responses', status)
  if (documented === null) return undefined
  const name = at(documented, '$ref')
  const response =
    typeof name === 'string'
      ? at(document, 'components', 'responses', name.split('/').at(-1) ?? '')
      : documented
  const schema = at(response, 'content', 'application/json', 'schema', '$ref')
  return typeof schema === 'string' ? schema.replace('schemas/webhook.json', webhook.$id) : null
}

const all = '/api/agents/{agentId}/webhooks'
const one = `${all}/{webhookId}`
const calls: readonly [path: string, method: string, body?: JsonObject][] = [
  [all, 'POST', { ...plainFields, description: 'd', custom_headers: { 'X-A': 'v' } }],
  [all, 'POST', { ...plainFields, events: [] }],
  [all, 'GET'],
  [one, 'PATCH', { name: 'Changed' }],
  [one, 'PATCH', { name: '' }],
  [`${one}/test`, 'POST'],
  [`${one}/logs`, 'GET'],
  [one, 'DELETE'],
]

const open: Manager[] = []
afterAll(() => Promise.all(open.map(({ simulator }) => simulator.close())))

/** The route once as it should be asked, then without a session, for another account's agent and for no webhook. */
const hows: readonly [how: How, id?: string][] = [
  [{}],
  [{ credentials: {} }],
  [{ agent: 'foreign' }],
  [{}, 'wh_none'],
]

test.for([
  ['by default', {}],
  [
    'in other interpretations',
    {
      'GAP-WEBHOOK-BODIES': 'empty',
      'GAP-WEBHOOK-CREATED': 'two',
      'GAP-WEBHOOK-REFUSAL': 'unprocessable',
      'GAP-WEBHOOK-REQUIRED': 'two',
      'GAP-SECRET-PREVIEW': 'none',
      'GAP-LOG-FIELDS': 'camel',
      'GAP-LOG-LIST': 'bare',
    },
  ],
] as const)('every answer is documented, %s', async ([, interpretations]) => {
  const manager = await openManager({ interpretations })
  open.push(manager)
  for (const [path, method, body] of calls)
    for (const [how, none] of hows) {
      // Nobody listens there: what a test sends is of no matter here.
      const { id } = await manager.create({ endpoint_url: 'http://localhost:9/' })
      const { status, text } = await manager.manage(
        method,
        path.slice(all.length).replace('{webhookId}', none ?? id),
        body,
        how,
      )
      const schema = schemaOf(path, method, status)
      const seen = { path, method, status, documented: schema !== undefined, empty: schema === null }
      expect(seen).toEqual({ ...seen, documented: true, empty: text === '' })
      if (typeof schema !== 'string') continue
      const answer = JSON.parse(text) as Json
      const validate = ajv.getSchema(schema)
      expect({ ...seen, fits: validate?.(answer), errors: validate?.errors }).toMatchObject({ errors: null })
      // Refusals of these routes are as flat as those of chat, which no schema says.
      const words = status < 400 ? 'none are needed' : at(answer, 'error')
      expect({ ...seen, words }).toEqual({ ...seen, words: expect.any(String) })
    }
})
