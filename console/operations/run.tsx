/** The operations that an API key may call, as the service lists them, and a form to run each. */
import { useEffect, useState } from 'preact/hooks'
import { newKey } from '../conversations/send.ts'
import { isMembers, membersOf, textIn, type Members } from '../requests/summary.ts'
import { act } from '../state/live.ts'
import { messageOf } from '../state/notices.ts'
import { callService, type ServiceRequest } from '../state/service.ts'
import { credentials, readTenant } from '../state/tenant.ts'
import { Code, pretty } from '../ui/code.tsx'
import { Badge, Empty, Panel } from '../ui/panel.tsx'
import { Button, Select, sameNames } from '../ui/controls.tsx'
import { fieldsOf, inputOf, SchemaForm, type Fields, type Schema } from './schema-form.tsx'

interface Operation {
  readonly id: string
  readonly about: string
  readonly isWrite: boolean
  readonly needsApproval: boolean
  readonly route: string
  readonly schema: Schema
}

const operationOf = (listed: Members): Operation => ({
  id: textIn(listed, 'id') || textIn(listed, 'operation_id'),
  about: textIn(listed, 'description'),
  isWrite: listed['kind'] === 'write',
  needsApproval: listed['approval'] === true,
  route: textIn(listed, 'route'),
  schema: listed['inputSchema'] ?? listed['input_schema'] ?? {},
})

const authorized = (role: string): [string, string] => [
  'Authorization',
  `Bearer ${credentials.peek()?.keys[role] ?? ''}`,
]

/** Under both interpretations of the list. Rejects where the service refuses. */
async function discover(role: string): Promise<readonly Operation[]> {
  const response = await callService({
    method: 'GET',
    path: '/api/v1/operations',
    headers: [authorized(role)],
    body: null,
  })
  const text = await response.text()
  const problem = response.status === 401 ? 'is not valid' : 'is refused'
  if (!response.ok)
    throw new Error(`The key “${role}” ${problem} (${response.status}): it lists no operations.`)
  const listed: unknown = JSON.parse(text)
  const all = isMembers(listed) ? listed['operations'] : listed
  return Array.isArray(all) ? all.filter(isMembers).map(operationOf) : []
}

/** At its own route where it has one; the body as the tenant interprets the contract. */
async function requestOf(
  role: string,
  { id, route, isWrite }: Operation,
  input: Members,
  key: string,
): Promise<ServiceRequest> {
  const { interpretations } = await readTenant()
  const [method = 'POST', path = ''] = route === '' ? [] : route.split(' ')
  const query = new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)]))
  if (method === 'GET')
    return {
      method,
      path: query.size === 0 ? path : `${path}?${query}`,
      headers: [authorized(role)],
      body: null,
    }
  const isBare = route !== '' || interpretations['GAP-EXECUTION-BODY'] === 'bare'
  const inBody = isWrite && interpretations['GAP-OPERATION-KEY'] === 'body'
  return {
    method,
    path: path || `/api/v1/operation-executions/${id}`,
    headers: [
      authorized(role),
      ['Content-Type', 'application/json'],
      ...(isWrite && !inBody ? [['Idempotency-Key', key]] : []),
    ],
    body: JSON.stringify({ ...(isBare ? input : { input }), ...(inBody && { idempotency_key: key }) }),
  }
}

export function RunPanel() {
  const [role, setRole] = useState('main')
  const [found, setFound] = useState<readonly Operation[]>([])
  const [problem, setProblem] = useState('')
  const [id, setId] = useState('')
  // Once for each key: a list is a request like any other, and shown as one.
  const apiKey = credentials.value?.keys[role]
  useEffect(() => {
    setProblem('')
    if (apiKey === undefined) return
    discover(role).then(setFound, (error: unknown) => {
      setFound([])
      setProblem(messageOf(error))
    })
  }, [apiKey])
  const operation = found.find((one) => one.id === id) ?? found[0]
  return (
    <Panel title="Run an operation">
      <div class="row">
        <Select
          label="API key"
          value={role}
          options={sameNames(Object.keys(credentials.value?.keys ?? {}))}
          onChange={setRole}
        />
        {operation && (
          <Select
            label="Operation"
            value={operation.id}
            options={sameNames(found.map((one) => one.id))}
            onChange={setId}
          />
        )}
      </div>
      {problem !== '' && <Empty>{problem}</Empty>}
      {operation && <RunForm key={operation.id} operation={operation} role={role} />}
    </Panel>
  )
}

function RunForm({ operation, role }: { operation: Operation; role: string }) {
  const [fields, setFields] = useState<Fields>(() => fieldsOf(operation.id, operation.schema))
  const [sent, setSent] = useState<{ readonly key: string; readonly status: number; readonly text: string }>()
  useEffect(() => setSent(undefined), [role])
  const run = (key: string) =>
    act(null, async () => {
      const response = await callService(
        await requestOf(role, operation, inputOf(operation.schema, fields), key),
      )
      setSent({ key, status: response.status, text: await response.text() })
    })
  const submit = (event: Event): void => {
    event.preventDefault()
    void run(newKey())
  }
  const receipt = sent ? textIn(membersOf(sent.text), 'status') : ''
  return (
    <form onSubmit={submit}>
      <p>
        {operation.about} {operation.isWrite && <Badge>write</Badge>}{' '}
        {operation.needsApproval && <Badge tone="doubt">needs approval</Badge>}
      </p>
      <SchemaForm schema={operation.schema} fields={fields} onChange={setFields} />
      <p class="row">
        <Button type="submit" class="main" shown="Run" />
        {operation.isWrite && sent && (
          <Button shown="Run again with the same idempotency key" onClick={() => run(sent.key)} />
        )}
      </p>
      {sent && (
        <>
          <p>
            <Badge tone={sent.status < 300 ? 'good' : 'doubt'}>{sent.status}</Badge> <span>{receipt}</span>
          </p>
          <Code text={pretty(sent.text)} label="the response" />
        </>
      )}
    </form>
  )
}
