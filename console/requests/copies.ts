/** A request in the forms in which one takes it elsewhere. */
import { curlOf } from '../state/curl.ts'
import type { Exchange } from '../state/exchanges.ts'
import type { ServiceRequest } from '../state/service.ts'
import type { Credentials } from '../state/tenant.ts'
import { bodyTextOf, membersOf, summaryOf, textIn } from './summary.ts'

/** Of the connection, not of the request. */
const connectionHeaders =
  /^(?:host|connection|content-length|accept|accept-encoding|accept-language|user-agent|origin|referer|sec-.*|priority|transfer-encoding|cache-control|pragma)$/i

/** The journal has no credentials: those of the tenant are put in their place. */
function withCredentials(
  [name = '', value = '']: readonly string[],
  { keys, sessions }: Credentials,
): [string, string] {
  if (value !== '[redacted]') return [name, value]
  if (name.toLowerCase() === 'cookie') return [name, `session=${sessions['main'] ?? ''}`]
  return [name, `Bearer ${keys['main'] ?? ''}`]
}

/** The request of an exchange, to send again. */
export const requestOf = ({ method, path, request }: Exchange, tenant: Credentials): ServiceRequest => ({
  method,
  path,
  headers: request.headers
    .filter(([name = '']) => !connectionHeaders.test(name))
    .map((header) => withCredentials(header, tenant)),
  body: request.body === '' ? null : request.body,
})

/** A test sends a key that is new in each run, or the turn would be a replay from its second run on. */
const keyMark = '__KEY__'

function keyed(request: ServiceRequest, key: string): ServiceRequest {
  if (key === '') return request
  const replaced = (text: string): string => text.replaceAll(key, keyMark)
  return {
    ...request,
    headers: request.headers.map(([name = '', value = '']) => [
      name,
      name.toLowerCase() === 'idempotency-key' ? replaced(value) : value,
    ]),
    body:
      request.body === null
        ? null
        : request.body.replace(/("idempotency_key"\s*:\s*)"[^"]*"/, `$1"${keyMark}"`),
  }
}

/** The reply of a turn, which the same request brings again. */
function replyOf(one: Exchange): string | null {
  const { response } = membersOf(bodyTextOf(one))
  return typeof response === 'string' ? response : null
}

/** A text of TypeScript in which the key is a value. */
const tsText = (text: string): string =>
  text.includes(keyMark)
    ? `\`${text.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${').replaceAll(keyMark, '${key}')}\``
    : JSON.stringify(text)

function vitestOf(one: Exchange, tenant: Credentials): string {
  const { method, path, headers, body } = keyed(requestOf(one, tenant), one.idempotencyKey ?? '')
  const reply = replyOf(one)
  const lines = [
    `import { expect, test } from 'vitest'`,
    '',
    `test(${JSON.stringify(`${method} ${path.split('?')[0]} answers ${one.status}`)}, async () => {`,
    ...(one.idempotencyKey === undefined ? [] : [`  const key = crypto.randomUUID()`]),
    `  const response = await fetch(${JSON.stringify(location.origin + path)}, {`,
    `    method: '${method}',`,
    `    headers: {`,
    ...headers.map(([name = '', value = '']) => `      ${JSON.stringify(name)}: ${tsText(value)},`),
    `    },`,
    ...(body === null ? [] : [`    body: ${tsText(body)},`]),
    `  })`,
    `  expect(response.status).toBe(${one.status})`,
    ...(reply === null
      ? []
      : [`  expect(await response.json()).toMatchObject({ response: ${JSON.stringify(reply)} })`]),
    `})`,
  ]
  return `${lines.join('\n')}\n`
}

/** A text of Python; JSON texts are texts of Python, except for characters beyond the basic plane, which it takes too. */
const pyText = (text: string): string =>
  text.includes(keyMark) ? `${JSON.stringify(text)}.replace("${keyMark}", key)` : JSON.stringify(text)

function pytestOf(one: Exchange, tenant: Credentials): string {
  const { method, path, headers, body } = keyed(requestOf(one, tenant), one.idempotencyKey ?? '')
  const reply = replyOf(one)
  const lines = [
    'import json',
    'import urllib.error',
    'import urllib.request',
    'import uuid',
    '',
    '',
    'def test_request():',
    ...(one.idempotencyKey === undefined ? [] : ['    key = str(uuid.uuid4())']),
    '    request = urllib.request.Request(',
    `        ${JSON.stringify(location.origin + path)},`,
    `        method=${JSON.stringify(method)},`,
    '        headers={',
    ...headers.map(([name = '', value = '']) => `            ${JSON.stringify(name)}: ${pyText(value)},`),
    '        },',
    ...(body === null ? [] : [`        data=(${pyText(body)}).encode(),`]),
    '    )',
    '    try:',
    '        response = urllib.request.urlopen(request)',
    '    except urllib.error.HTTPError as error:',
    '        response = error',
    `    assert response.status == ${one.status}`,
    ...(reply === null ? [] : [`    assert json.load(response)["response"] == ${JSON.stringify(reply)}`]),
  ]
  return `${lines.join('\n')}\n`
}

/** A reply file with which the simulator replies to this message as it did here. */
function replyRuleOf(one: Exchange): string {
  const { message } = membersOf(one.request.body)
  const tokens = summaryOf(one).events.filter(({ type }) => type === 'token')
  const texts = tokens.map(({ data }) => textIn(membersOf(data), 'token'))
  const reply = texts.length > 0 ? { tokens: texts } : { text: replyOf(one) ?? '' }
  return `${JSON.stringify([{ match: { message }, reply }], null, 2)}\n`
}

type Form = (one: Exchange, tenant: Credentials) => string

export const copyForms: Readonly<Record<string, Form>> = {
  curl: (one, tenant) => curlOf(requestOf(one, tenant)),
  vitest: vitestOf,
  pytest: pytestOf,
  'reply rule': replyRuleOf,
}
