/** A collection of Bruno: a file for each request. */
import { requests, variables, type CollectionRequest } from './requests.ts'

const block = (name: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `${name} {\n${lines.map((line) => `  ${line}`).join('\n')}\n}\n\n`

const pairs = (values: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(values).map(([name, value]) => `${name}: ${value}`)

function file({ name, method, path, auth, headers, body, saves }: CollectionRequest, seq: number): string {
  const isSession = auth === 'session'
  const request = {
    url: `{{baseUrl}}${path}`,
    body: body ? 'json' : 'none',
    auth: isSession ? 'none' : 'bearer',
  }
  const sets = Object.entries(saves).map(
    ([variable, member]) => `bru.setVar('${variable}', res.body.${member})`,
  )
  const check = "test('the response is 2xx', () => expect(res.status).to.be.within(200, 299))"
  return [
    block('meta', pairs({ name, type: 'http', seq: String(seq) })),
    block(method.toLowerCase(), pairs(request)),
    block('headers', pairs({ ...headers, ...(isSession ? { Cookie: 'session={{session}}' } : {}) })),
    isSession ? '' : block('auth:bearer', ['token: {{apiKey}}']),
    body ? block('body:json', JSON.stringify(body, null, 2).split('\n')) : '',
    block('script:post-response', sets),
    block('tests', [check]),
  ].join('')
}

/** Each file by its path. */
export function brunoCollection(name: string): Readonly<Record<string, string>> {
  const files = requests.map((request, at) => [
    `${String(at + 1).padStart(2, '0')} ${request.name}.bru`,
    file(request, at + 1),
  ])
  return {
    ...Object.fromEntries(files),
    'bruno.json': `${JSON.stringify({ version: '1', name, type: 'collection' }, null, 2)}\n`,
    'environments/simulator.bru': block('vars', pairs(variables)),
  }
}
