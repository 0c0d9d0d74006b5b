import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  chatErrors,
  chatStatuses,
  limits,
  receiptErrors,
  receiptStatuses,
  streamEvents,
  taskStates,
  webhookEvents,
} from './index.ts'

type Tree = { [member: string]: unknown }
const tree = (value: unknown): Tree => (typeof value === 'object' && value !== null ? (value as Tree) : {})
/** The value at a path of member names. */
const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce((node, name) => tree(node)[name], value)

const here = new URL('.', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, here), 'utf8')
const documents: Record<string, Tree> = Object.fromEntries(
  ['openapi', 'asyncapi', 'control', 'control-protocol'].map((name) => [
    name,
    parse(read(`${name}.yaml`)) as Tree,
  ]),
)
const schemaFiles = readdirSync(new URL('schemas/', here))
const schemas: Record<string, Tree> = Object.fromEntries(
  schemaFiles.map((name) => [name, JSON.parse(read(`schemas/${name}`)) as Tree]),
)

const base = 'https://touchstone.example/spec/'
const ajv = new Ajv2020({ strict: true, allErrors: true })
addFormats.default(ajv)
ajv.addKeyword({ keyword: 'x-gap', schemaType: ['string', 'array'] })
for (const schema of Object.values(schemas)) ajv.addSchema(schema)

/** A schema of a document; what it refers to stands in spec/schemas/. */
let compiled = 0
function compile(schema: unknown): ValidateFunction {
  return ajv.compile({ $id: `${base}inline-${++compiled}.json`, ...tree(schema) })
}

interface Example {
  where: string
  schema: unknown
  value: unknown
}

/** Every node of a document with the path to it. */
function* nodes(value: unknown, where = ''): Generator<[string, Tree]> {
  if (typeof value !== 'object' || value === null) return
  yield [where, tree(value)]
  for (const [name, member] of Object.entries(value)) yield* nodes(member, `${where}/${name}`)
}

const dataLines = (stream: string): unknown[] =>
  stream
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.replace(/^data: /, '')) as unknown)

/** The examples that stand beside a schema: of a media type, a parameter or a header, or of a message. */
function* beside(where: string, node: Tree): Generator<Example> {
  for (const [name, example] of Object.entries(tree(node['examples']))) {
    const place = `${where}/examples/${name}`
    if ('payload' in node) {
      for (const part of ['payload', 'headers'] as const)
        if (node[part]) yield { where: `${place}/${part}`, schema: node[part], value: at(example, part) }
    } else if ('schema' in node) {
      const value = at(example, 'value')
      yield { where: place, schema: node['schema'], value }
      const event = node['x-event-schema']
      if (event)
        for (const [index, line] of dataLines(String(value)).entries())
          yield { where: `${place}/event ${index + 1}`, schema: event, value: line }
    }
  }
  if ('schema' in node && 'example' in node)
    yield { where: `${where}/example`, schema: node['schema'], value: node['example'] }
}

const examples = (document: Tree | undefined): Example[] =>
  [...nodes(document)].flatMap(([where, node]) => [...beside(where, node)])

/** The places of the examples that do not fit their schema, each with the first reason. */
function misfits(document: Tree | undefined): string[] {
  return examples(document).flatMap(({ where, schema, value }) => {
    const validate = compile(schema)
    return validate(value) ? [] : [`${where}: ${ajv.errorsText(validate.errors)}`]
  })
}

const definition = (file: string, name: string): Tree => tree(at(schemas[file], '$defs', name))
const keys = (value: unknown): string[] => Object.keys(tree(value))
const sorted = (values: Iterable<unknown>): unknown[] => [...values].map(String).sort()
const chat = at(documents['openapi'], 'paths', '/api/v1/chat/{agentId}', 'post')

describe('the schema files', () => {
  test.each(schemaFiles)('%s compiles strictly under its own address', (name) => {
    expect(at(schemas[name], '$id')).toBe(`${base}schemas/${name}`)
    for (const defined of keys(at(schemas[name], '$defs')))
      expect(ajv.getSchema(`${base}schemas/${name}#/$defs/${defined}`)).toBeTypeOf('function')
  })

  test('a name is defined once, since bundling would number the second one', () => {
    const names = schemaFiles.flatMap((name) => keys(at(schemas[name], '$defs')))
    expect(names).toHaveLength(new Set(names).size)
  })
})

describe('the titles, by which generators name what they write', () => {
  test.each(schemaFiles)('each definition in %s is titled by its name', (name) => {
    const titles = Object.entries(tree(at(schemas[name], '$defs'))).map(([defined, schema]) => [
      defined,
      at(schema, 'title'),
    ])
    expect(titles).toEqual(titles.map(([defined]) => [defined, defined]))
  })

  test('each inline body and header of a message has one, and each header schema is an object', () => {
    const messages = Object.entries(tree(at(documents['asyncapi'], 'components', 'messages')))
    const inline = messages.flatMap(([name, message]) =>
      ['payload', 'headers'].flatMap((part) => {
        const schema = at(message, part)
        return schema === undefined || at(schema, '$ref') !== undefined ? [] : [[name, at(schema, 'title')]]
      }),
    )
    expect(inline.length).toBeGreaterThan(30)
    expect(inline.filter(([, title]) => typeof title !== 'string')).toEqual([])
    expect(new Set(inline.map(([, title]) => title)).size).toBe(inline.length)
    const headers = messages.flatMap(([, message]) => at(message, 'headers') ?? [])
    expect(headers.map((schema) => at(schema, 'type'))).toEqual(headers.map(() => 'object'))
  })
})

describe('the examples', () => {
  test.each(Object.keys(documents))('each one in %s.yaml fits its schema', (name) => {
    expect(examples(documents[name]).length).toBeGreaterThan(12)
    expect(misfits(documents[name])).toEqual([])
  })

  test('every JSON body and every message has one', () => {
    const carriers = [...nodes(documents)].filter(
      ([where]) => where.endsWith('/application/json') || /\/components\/messages\/[^/]+$/.test(where),
    )
    expect(carriers.length).toBeGreaterThan(80)
    expect(
      carriers.filter(([, node]) => keys(node['examples']).length === 0).map(([where]) => where),
    ).toEqual([])
  })

  test.each([
    [
      'openapi',
      'examples/reply',
      (text: string) => text.replace('credits_remaining: 99', 'credits_remaining: some'),
    ],
    [
      'openapi',
      'examples/limited',
      (text: string) => text.replace('retry_after_seconds: 60', 'retry_after: 60'),
    ],
    [
      'openapi',
      'tool/event 2',
      (text: string) => text.replace('"type":"action_complete"', '"type":"action_end"'),
    ],
    ['openapi', 'examples/running', (text: string) => text.replace('state: running', 'state: walking')],
    [
      'asyncapi',
      'message.sent/examples/0/payload',
      (text: string) => text.replace('eventType: message.sent', 'eventType: message.read'),
    ],
    ['asyncapi', 'leads.submit/examples/0/headers', (text: string) => text.replace('sha256=0', 'sha1=0')],
    ['control', 'examples/fault', (text: string) => text.replace('{ faults: [', '{ fualts: [')],
  ])('a broken one in %s.yaml is refused at %s alone', (name, where, breaking) => {
    const found = misfits(parse(breaking(read(`${name}.yaml`))) as Tree)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(where)
  })
})

describe('what the documents say twice', () => {
  test('the chat route documents the statuses of the contract and no other', () => {
    expect(sorted(keys(at(chat, 'responses')))).toEqual(sorted(Object.keys(chatStatuses)))
  })

  test('an example of a 402 or 409 of chat is called by a code with that status', () => {
    const named = keys(at(chat, 'responses')).flatMap((status) =>
      keys(at(chat, 'responses', status, 'content', 'application/json', 'examples'))
        .filter((name) => name in chatErrors || status === '402' || status === '409')
        .map((name) => `${status} ${name}`),
    )
    const codes = Object.entries(chatErrors).map(([code, { status }]) => `${status} ${code}`)
    expect(named.filter((name) => !codes.includes(name))).toEqual([])
  })

  test('an example that is called by a code carries that code', () => {
    const codes = { ...chatErrors, ...receiptErrors }
    const called = examples(documents['openapi']).filter(
      ({ where }) => (where.split('/').at(-1) ?? '') in codes,
    )
    expect(called.length).toBeGreaterThan(0)
    for (const { where, value } of called) {
      const code = where.split('/').at(-1)
      expect([at(value, 'error'), at(value, 'error', 'code')]).toContain(code)
    }
  })

  test('webhook events are the same in schemas, messages and tables', () => {
    const names = sorted(Object.keys(webhookEvents))
    const open = at(
      definition('delivery.json', 'OpenDelivery'),
      'properties',
      'eventType',
      'enum',
    ) as string[]
    expect(sorted(definition('webhook.json', 'WebhookEventName')['enum'] as string[])).toEqual(names)
    expect(sorted([...open, 'leads.submit'])).toEqual(names)
    expect(sorted(keys(at(documents['asyncapi'], 'channels', 'deliveries', 'messages')))).toEqual(names)
  })

  test('stream events are the same in schemas, messages and tables', () => {
    const union = definition('stream.json', 'StreamEvent')['oneOf'] as { $ref: string }[]
    const tags = union.map(({ $ref }) => {
      const event = definition('stream.json', $ref.split('/').at(-1) ?? '')
      return (
        at(event, 'properties', 'type', 'const') ?? at(event, 'allOf', '0', 'properties', 'type', 'const')
      )
    })
    expect(sorted(tags)).toEqual(sorted(Object.keys(streamEvents)))
    expect(keys(at(documents['asyncapi'], 'channels', 'chatStream', 'messages'))).toHaveLength(tags.length)
    for (const [type, { members }] of Object.entries(streamEvents)) {
      const validate = ajv.getSchema(`${base}schemas/stream.json#/$defs/StreamEvent`) as ValidateFunction
      validate({ type })
      const missing = validate.errors?.map(({ params }) => params['missingProperty'] as unknown) ?? []
      expect(missing).toEqual(expect.arrayContaining([...members]))
    }
  })

  test('receipts and tasks have the statuses and states of the tables', () => {
    const receipts = ['CompletedReceipt', 'AcceptedReceipt', 'PendingApprovalReceipt', 'FailedReceipt']
    const tags = receipts.map((name) =>
      at(definition('operation.json', name), 'properties', 'status', 'const'),
    )
    expect(sorted(tags)).toEqual(sorted(receiptStatuses))
    expect(definition('operation.json', 'TaskState')['enum']).toEqual([...taskStates])
  })

  test('lengths are those of the limits', () => {
    const { message, idempotency_key: key } = tree(definition('chat.json', 'ChatRequest')['properties'])
    expect(message).toMatchObject({
      minLength: limits.messageMinCharacters,
      maxLength: limits.messageMaxCharacters,
    })
    expect(key).toMatchObject({
      minLength: limits.idempotencyKeyMinCharacters,
      maxLength: limits.idempotencyKeyMaxCharacters,
    })
  })
})
