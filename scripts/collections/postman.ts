/** A collection of Postman, in the format v2.1, which newman runs. */
import { requests, variables, type CollectionRequest } from './requests.ts'

const script = ({ saves }: CollectionRequest): readonly string[] => [
  "pm.test('the response is 2xx', () => pm.expect(pm.response.code).to.be.within(200, 299))",
  ...Object.entries(saves).map(
    ([name, member]) => `pm.collectionVariables.set('${name}', pm.response.json().${member})`,
  ),
]

function item(request: CollectionRequest): object {
  const { name, method, path, auth, headers, body } = request
  const header = Object.entries({
    ...headers,
    ...(body ? { 'Content-Type': 'application/json' } : {}),
    ...(auth === 'session' ? { Cookie: 'session={{session}}' } : {}),
  }).map(([key, value]) => ({ key, value }))
  return {
    name,
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: script(request) } }],
    request: {
      method,
      header,
      url: `{{baseUrl}}${path}`,
      ...(auth === 'session' ? { auth: { type: 'noauth' } } : {}),
      ...(body ? { body: { mode: 'raw', raw: JSON.stringify(body, null, 2) } } : {}),
    },
  }
}

export function postmanCollection(name: string): object {
  const folders = Map.groupBy(requests, ({ folder }) => folder)
  return {
    info: { name, schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
    item: [...folders].map(([folder, inside]) => ({ name: folder, item: inside.map(item) })),
  }
}
