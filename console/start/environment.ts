/** What a client needs to reach the simulator, to paste in five forms. */
import { curlOf, shellQuoted } from '../state/curl.ts'

export interface ClientValues {
  readonly baseUrl: string
  readonly apiKey: string
  readonly agent: string
  /** Names of the environment variables, which depend on the vendor. */
  readonly variables: { readonly baseUrl: string; readonly apiKey: string }
}

type Form = (values: ClientValues) => string

const pairs = ({
  baseUrl,
  apiKey,
  agent,
  variables,
}: ClientValues): readonly (readonly [string, string])[] => [
  [variables.baseUrl, baseUrl],
  [variables.apiKey, apiKey],
  ['TOUCHSTONE_AGENT', agent],
]

export const environmentForms: Readonly<Record<string, Form>> = {
  curl: ({ apiKey, agent }) =>
    curlOf({
      method: 'POST',
      path: `/api/v1/chat/${agent}`,
      headers: [
        ['Authorization', `Bearer ${apiKey}`],
        ['Content-Type', 'application/json'],
        ['Idempotency-Key', 'first-message'],
      ],
      body: JSON.stringify({ message: 'Hello' }),
    }),
  bash: (values) =>
    pairs(values)
      .map(([name, value]) => `export ${name}=${shellQuoted(value)}`)
      .join('\n'),
  '.env': (values) =>
    pairs(values)
      .map(([name, value]) => `${name}=${value}`)
      .join('\n'),
  Python: ({ baseUrl, apiKey, agent }) => `import json, urllib.request, uuid

request = urllib.request.Request(
    ${JSON.stringify(`${baseUrl}/api/v1/chat/${agent}`)},
    data=json.dumps({"message": "Hello"}).encode(),
    headers={
        "Authorization": ${JSON.stringify(`Bearer ${apiKey}`)},
        "Content-Type": "application/json",
        "Idempotency-Key": str(uuid.uuid4()),
    },
)
print(json.load(urllib.request.urlopen(request)))`,
  TypeScript: ({
    baseUrl,
    apiKey,
    agent,
  }) => `const response = await fetch(${JSON.stringify(`${baseUrl}/api/v1/chat/${agent}`)}, {
  method: 'POST',
  headers: {
    Authorization: ${JSON.stringify(`Bearer ${apiKey}`)},
    'Content-Type': 'application/json',
    'Idempotency-Key': crypto.randomUUID(),
  },
  body: JSON.stringify({ message: 'Hello' }),
})
console.log(response.status, await response.json())`,
}
