/** A request as a test for pytest, with nothing but the standard library. */
import type { ServiceRequest } from '../state/service.ts'
import type { Wanted } from './expectations.ts'
import { marks, partsOf, type TestSource } from './test-source.ts'

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

export function pytestOf(source: TestSource): string {
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
