import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { webhookEvents } from '../../../spec/index.ts'
import type { Json, JsonObject } from '../../json.ts'
import { openManager, plainFields, type Manager } from './management.testkit.ts'

let manager: Manager
beforeAll(async () => void (manager = await openManager({ seed: 'fields' })))
afterEach(() => manager.simulator.tenant.reset())
afterAll(() => manager.simulator.close())

const endpoint = (url: Json): JsonObject => ({ endpoint_url: url })
const headers = (value: Json): JsonObject => ({ custom_headers: value })
const many = (count: number, value = 'v'): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-${i}`, value]))

/** Fields in place of the plain ones, and words that the refusal has. */
const wrong: readonly [what: string, fields: JsonObject, words: RegExp][] = [
  ['a name that is no text', { name: 7 }, /name must be a string/],
  ['an empty name', { name: '' }, /name has 0 characters/],
  ['a name that is too long', { name: 'n'.repeat(201) }, /201 characters/],
  ['a name with half a character', { name: '\ud800' }, /half a surrogate/],
  ['a null for a name', { name: null }, /name must be a string/],
  ['an endpoint that is no text', endpoint(['https://example.org']), /endpoint_url must be a string/],
  ['an empty endpoint', endpoint(''), /endpoint_url/],
  ['a relative endpoint', endpoint('/hooks'), /endpoint_url/],
  ['plain HTTP', endpoint('http://hooks.example.org/'), /https/i],
  ['another scheme', endpoint('javascript:alert(1)'), /https/i],
  ['an endpoint without end', endpoint(`https://example.org/${'x'.repeat(3_000)}`), /at most 2048/],
  ['events that are no list', { events: 'leads.submit' }, /events must be an array/],
  ['no event', { events: [] }, /at least one/],
  ['an event that does not exist', { events: ['leads.submit', 'leads.sent'] }, /no event "leads.sent"/],
  ['a member of every object', { events: ['constructor'] }, /no event "constructor"/],
  ['an event that is no text', { events: [['leads.submit']] }, /events must be an array of event names/],
  ['the older name', { events: ['action.executed'] }, /use tool\.executed/],
  ['a description that is no text', { description: {} }, /description must be a string/],
  ['a description that is too long', { description: 'd'.repeat(1_001) }, /at most 1000/],
  ['headers that are a list', headers([['X-A', 'b']]), /must be an object/],
  ['headers that are none', headers(null), /must be an object/],
  ['a header that is a number', headers({ 'X-A': 1 }), /value of "X-A" must be a string/],
  ['a header without a name', headers({ '': 'v' }), /"" is not the name/],
  ['a space in a name', headers({ 'X A': 'v' }), /not the name of a header/],
  ['a colon in a name', headers({ 'X:A': 'v' }), /not the name of a header/],
  ['a line break in a name', headers({ 'X-A\r\nX-B': 'v' }), /not the name of a header/],
  ['a name twice', headers({ 'X-A': '1', 'x-a': '2' }), /twice/],
  ['a line break in a value', headers({ 'X-A': 'v\r\nX-Evil: 1' }), /no header can carry/],
  ['a lone line feed', headers({ 'X-A': 'v\nw' }), /no header can carry/],
  ['a NUL', headers({ 'X-A': '\0' }), /no header can carry/],
  ['a DEL', headers({ 'X-A': '\x7f' }), /no header can carry/],
  ['a control character above ASCII', headers({ 'X-A': '\x85' }), /no header can carry/],
  ['a letter beyond Latin-1', headers({ 'X-A': '☃' }), /no header can carry/],
  ['a line separator', headers({ 'X-A': '\u2028' }), /no header can carry/],
  ['too many headers', headers(many(51)), /at most 50/],
  ['a value that is too long', headers({ 'X-A': 'v'.repeat(8_193) }), /at most 8192/],
  ['too much in all', headers(many(3, 'v'.repeat(8_000))), /at most 16384/],
]

test.for(wrong)('%s is refused at creation and by an update', async ([, fields, words]) => {
  const { manage, create } = manager
  const refusal = { status: 400, body: { error: 'INVALID_REQUEST', message: expect.stringMatching(words) } }
  expect(await manage('POST', '', { ...plainFields, ...fields })).toMatchObject(refusal)
  const { id } = await create()
  expect(await manage('PATCH', `/${id}`, fields)).toMatchObject(refusal)
})

const right: readonly [what: string, fields: JsonObject][] = [
  ['every event', { events: Object.keys(webhookEvents) }],
  ['a name of one character', { name: '世' }],
  ['a name of two hundred', { name: 'n'.repeat(200) }],
  ['plain HTTP to localhost', endpoint('http://localhost:8080/hooks')],
  ['no headers', headers({})],
  ['fifty headers', headers(many(50))],
  ['an empty value', headers({ 'X-A': '' })],
  ['a value of Latin-1 with a tab', headers({ 'X-A': 'é\t~' })],
  ['a name of any token', headers({ "!#$%&'*+-.^_`|~9z": 'v' })],
  ['reserved names, which no delivery takes', headers({ 'X-Service-Signature': 'mine', host: 'h' })],
]

test.for(right)('%s may be created and read back', async ([, fields]) => {
  const sent = { ...plainFields, ...fields }
  expect(await manager.manage('POST', '', sent)).toMatchObject({ status: 201, body: sent })
  expect(await manager.manage('GET')).toMatchObject({ body: { webhooks: [sent] } })
})

test.for(['name', 'endpoint_url', 'events'])('a creation without %s is refused', async (member) => {
  const sent = Object.fromEntries(Object.entries(plainFields).filter(([name]) => name !== member))
  expect(await manager.manage('POST', '', sent)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining(`${member} missing`) },
  })
})

test('an event that is named twice is selected once', async () => {
  const made = await manager.create({ events: ['leads.submit', 'leads.submit'] })
  expect(made.body['events']).toEqual(['leads.submit'])
})

describe('hostile input is the fault of the client:', () => {
  const name = (text: string): string => JSON.stringify({ ...plainFields, name: text })
  const bodies: readonly [what: string, raw: string | Uint8Array<ArrayBuffer>, status: number][] = [
    ['nothing', '', 400],
    ['no JSON', '{"name":', 400],
    ['a list', '[]', 400],
    ['null', 'null', 400],
    ['a text', '"webhook"', 400],
    ['bytes that are no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), 400],
    ['a name of a mebibyte', name('n'.repeat(1024 * 1024)), 400],
    ['a name within the limit of a body', name('n'.repeat(1_000_000)), 400],
    ['an event of almost a mebibyte', JSON.stringify({ ...plainFields, events: ['e'.repeat(1e6)] }), 400],
    ['lists in lists', '['.repeat(500_000), 400],
    ['a deep value', `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400],
    ['deep headers', `{"custom_headers":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`, 400],
    ['fields in a prototype', `{"__proto__":${JSON.stringify(plainFields)}}`, 400],
    ['fields of every object', JSON.stringify({ ...plainFields, constructor: 1, toString: 2 }), 201],
    ['a header called __proto__', `{"custom_headers":{"__proto__":"v"},${name('n').slice(1)}`, 201],
  ]
  test.for(bodies)('%s', async ([, raw, status]) => {
    const answer = await manager.manage('POST', '', undefined, { raw })
    expect(answer).toMatchObject({ status })
    expect(answer.text.length).toBeLessThan(2_000)
    expect(Object.prototype).not.toHaveProperty('name')
  })

  test('a header called __proto__ is given back as it was', async () => {
    await manager.manage('POST', '', undefined, {
      raw: `{"custom_headers":{"__proto__":"v"},${JSON.stringify(plainFields).slice(1)}`,
    })
    expect((await manager.manage('GET')).text).toContain('"custom_headers":{"__proto__":"v"}')
  })
})
