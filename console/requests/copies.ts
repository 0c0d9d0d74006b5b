/** A request in the forms in which one takes it elsewhere. */
import { exchanges, type Exchange } from '../state/exchanges.ts'
import type { Credentials } from '../state/tenant.ts'
import { requestOf } from './resend.ts'
import { summaryOf, isMembers, membersOf, replyOf, textIn, type Members } from './summary.ts'
import {
  isRepeatable,
  marks,
  partsOf,
  testSourceOf,
  vitestOf,
  type TestSource,
  type Wanted,
} from './test-forms.ts'
import { curlOf, type ServiceRequest } from '../state/service.ts'
import type { components } from '../../spec/types/control.ts'

type Reply = components['schemas']['CannedReply']
type Presentation = NonNullable<Reply['presentation']>

/** A turn that was refused, or whose message was only stored, has no reply that a rule could give. */
function hasReply(one: Exchange): boolean {
  const { outcome } = summaryOf(one)
  return outcome === 'run' || outcome === 'replay' || (outcome === 'failed' && one.status === 200)
}

/** The kinds of a presentation's parts, and the member of a part that has its text. */
const parts: readonly (readonly [part: keyof Presentation, kind: string, text: string])[] = [
  ['messages', 'message', 'text'],
  ['buttons', 'button', 'label'],
  ['images', 'image', 'url'],
  ['media', 'media', 'url'],
]

const listOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.filter(isMembers) : [])

/** Under both interpretations of its shape: a list for each kind, or one list of all. */
function presentationOf(given: unknown): Presentation | undefined {
  if (!isMembers(given)) return undefined
  const found = parts.map(([part, kind, text]): [string, string[]] => {
    const items = listOf(given['items']).filter((item) => item['kind'] === kind)
    return [part, [...listOf(given[part]), ...items].map((item) => textIn(item, text))]
  })
  return Object.fromEntries(found.filter(([, texts]) => texts.length > 0))
}

function replyRuleOf(one: Exchange): string {
  const { message } = membersOf(one.request.body)
  const of = (type: string): readonly Members[] =>
    summaryOf(one)
      .events.filter((event) => event.type === type)
      .map(({ data }) => membersOf(data))
  const final = replyOf(one)
  const tokens = of('token').map((event) => textIn(event, 'token'))
  const actions = of('action_complete').map(({ actionName, success }) => ({
    actionName,
    ...(success === false && { success }),
  }))
  const [gate] = of('gate_triggered')
  const [error] = of('error')
  const presentation = presentationOf(final['presentation'])
  const reply = {
    ...(tokens.length > 0 ? { tokens } : { text: textIn(final, 'response') }),
    ...(actions.length > 0 && { actions }),
    ...(gate && { gate: { decision: textIn(gate, 'decision'), reason: textIn(gate, 'reason') } }),
    ...(presentation && { presentation }),
    ...(error && { error: { afterTokens: tokens.length, text: textIn(error, 'error') } }),
  }
  return `${JSON.stringify([{ match: { message }, reply }], null, 2)}\n`
}

const names: Readonly<Record<string, string>> = { [marks.key]: 'key', [marks.apiKey]: 'CREDENTIAL' }

/** Texts of JSON are texts of Python. */
const literal = (text: string): string =>
  partsOf(text)
    .map((part) => names[part] ?? JSON.stringify(part))
    .join(' + ') || '""'

const checks = {
  text: (value: string) => `isinstance(${value}, str) and ${value}.strip()`,
  number: (value: string) => `isinstance(${value}, (int, float))`,
  uuid: (value: string) => `uuid.UUID(${value})`,
  list: (value: string) => `isinstance(${value}, list)`,
  object: (value: string) => `isinstance(${value}, dict)`,
} as const

const check = (value: string, wanted: Wanted): string =>
  typeof wanted === 'object' ? checks[wanted.kind](value) : `${value} == ${JSON.stringify(wanted)}`

const sending = ({ method, path, headers, body }: ServiceRequest): readonly string[] => [
  'send(',
  `        ${JSON.stringify(method)},`,
  `        ${JSON.stringify(path)},`,
  '        {',
  ...headers.map(([name = '', value = '']) => `            ${JSON.stringify(name)}: ${literal(value)},`),
  '        },',
  ...(body === null ? [] : [`        ${literal(body)},`]),
  '    )',
]

const streamLines = (last: string): readonly string[] => [
  '    events = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: ")]',
  `    [body] = [event for event in events if event["type"] == "${last}"]`,
]

function bodyLines({ expectations: { members, code, lastEvent } }: TestSource): readonly string[] {
  const parse = lastEvent === null ? ['    body = json.loads(text)'] : streamLines(lastEvent)
  const value = (path: readonly string[]): string =>
    `body${path.map((name) => `[${JSON.stringify(name)}]`).join('')}`
  return [
    ...(code === '' ? [] : [`    assert ${JSON.stringify(code)} in text`]),
    ...(members.length === 0 ? [] : parse),
    ...members.map(([path, wanted]) => `    assert ${check(value(path), wanted)}`),
  ]
}

function pytestOf(source: TestSource): string {
  const { title, variables, baseUrl, requests, expectations, hasKey, note } = source
  const [first = '', ...rest] = requests.slice(-1).flatMap(sending)
  const earlier = requests.slice(0, -1).flatMap((one) => {
    const [begin = '', ...others] = sending(one)
    return [`    ${begin}`, ...others]
  })
  const lines = [
    'import json',
    'import os',
    'import urllib.error',
    'import urllib.request',
    'import uuid',
    '',
    `BASE_URL = os.environ.get("${variables.baseUrl}", ${JSON.stringify(baseUrl)})`,
    `CREDENTIAL = os.environ["${variables.credential}"]`,
    '',
    '',
    'def send(method, path, headers, body=""):',
    '    data = body.encode() or None',
    '    request = urllib.request.Request(BASE_URL + path, data, headers, method=method)',
    '    try:',
    '        response = urllib.request.urlopen(request)',
    '    except urllib.error.HTTPError as error:',
    '        response = error',
    '    return response, response.read().decode()',
    '',
    '',
    ...(note === '' ? [] : [`# ${note}`]),
    'def test_request():',
    `    ${JSON.stringify(title)}`,
    ...(hasKey ? ['    key = str(uuid.uuid4())'] : []),
    ...earlier,
    `    response, text = ${first}`,
    ...rest,
    `    assert response.status == ${expectations.status}`,
    ...(expectations.isReplay ? [`    assert response.headers["${source.replayHeader}"] == "true"`] : []),
    ...bodyLines(source),
  ]
  return `${lines.join('\n')}\n`
}

interface Form {
  readonly text: (one: Exchange, known: Credentials) => string
  readonly fits: (one: Exchange) => boolean
}

/** The request that used the key first, where the response is what it is because of it. */
function beforeOf(one: Exchange): Exchange | undefined {
  const { outcome } = summaryOf(one)
  if (outcome !== 'replay' && outcome !== 'conflict') return undefined
  return exchanges
    .peek()
    .find(({ idempotencyKey, path }) => idempotencyKey === one.idempotencyKey && path === one.path)
}

const test = (form: (source: TestSource) => string): Form => ({
  text: (one, known) => form(testSourceOf(one, beforeOf(one), known)),
  fits: isRepeatable,
})

export const copyForms: Readonly<Record<string, Form>> = {
  curl: { text: (one) => curlOf(requestOf(one)), fits: () => true },
  vitest: test(vitestOf),
  pytest: test(pytestOf),
  'reply rule': { text: replyRuleOf, fits: hasReply },
}
