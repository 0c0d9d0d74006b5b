/** A request as a test for vitest. */
import type { ServiceRequest } from '../state/service.ts'
import type { Wanted } from './expectations.ts'
import { marks, partsOf, type TestSource } from './test-source.ts'

const names: Readonly<Record<string, string>> = { [marks.key]: '${key}', [marks.apiKey]: '${credential}' }

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')

function literal(text: string): string {
  const parts = partsOf(text)
  return parts.some((part) => names[part] !== undefined)
    ? `\`${parts.map((part) => names[part] ?? escaped(part)).join('')}\``
    : JSON.stringify(text)
}

const matchers = {
  text: 'expect.stringMatching(/\\S/)',
  number: 'expect.any(Number)',
  uuid: 'expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)',
  list: 'expect.any(Array)',
  object: 'expect.any(Object)',
} as const

const matcher = (wanted: Wanted): string =>
  typeof wanted === 'object' ? matchers[wanted.kind] : JSON.stringify(wanted)

const sending = ({ method, path, headers, body }: ServiceRequest): readonly string[] => [
  `fetch(\`\${baseUrl}${escaped(path)}\`, {`,
  `    method: ${JSON.stringify(method)},`,
  `    headers: {`,
  ...headers.map(([name = '', value = '']) => `      ${JSON.stringify(name)}: ${literal(value)},`),
  `    },`,
  ...(body === null ? [] : [`    body: ${literal(body)},`]),
  `  })`,
]

const streamLines = (last: string): readonly string[] => [
  `  const events = text.split('\\n').filter((line) => line.startsWith('data: '))`,
  `  const ends = events.map((line) => JSON.parse(line.slice(6))).filter(({ type }) => type === '${last}')`,
  `  expect(ends).toHaveLength(1)`,
  `  const [body] = ends`,
]

function bodyLines({ expectations: { members, code, lastEvent } }: TestSource): readonly string[] {
  const parse = lastEvent === null ? [`  const body = JSON.parse(text)`] : streamLines(lastEvent)
  const path = (names: readonly string[]): string => JSON.stringify(names)
  return [
    ...(members.length > 0 || code !== '' ? [`  const text = await response.text()`] : []),
    ...(code === '' ? [] : [`  expect(text).toContain(${JSON.stringify(code)})`]),
    ...(members.length === 0 ? [] : parse),
    ...members.map(([names, wanted]) => `  expect(body).toHaveProperty(${path(names)}, ${matcher(wanted)})`),
  ]
}

export function vitestOf(source: TestSource): string {
  const { title, variables, baseUrl, requests, expectations, hasKey, note } = source
  const earlier = requests.slice(0, -1).flatMap((one) => {
    const [first = '', ...rest] = sending(one)
    return [`  await ${first}`, ...rest]
  })
  const [first = '', ...rest] = requests.slice(-1).flatMap(sending)
  const lines = [
    `import { expect, test } from 'vitest'`,
    '',
    `const { ${variables.baseUrl}: baseUrl = ${JSON.stringify(baseUrl)}, ${variables.credential}: credential } = process.env`,
    `if (!credential) throw new Error('environment variable ${variables.credential} is not set')`,
    '',
    ...(note === '' ? [] : [`// ${note}`]),
    `test(${JSON.stringify(title)}, async () => {`,
    ...(hasKey ? [`  const key = crypto.randomUUID()`] : []),
    ...earlier,
    `  const response = await ${first}`,
    ...rest,
    `  expect(response.status).toBe(${expectations.status})`,
    ...(expectations.isReplay
      ? [`  expect(response.headers.get('${source.replayHeader}')).toBe('true')`]
      : []),
    ...bodyLines(source),
    `})`,
  ]
  return `${lines.join('\n')}\n`
}
