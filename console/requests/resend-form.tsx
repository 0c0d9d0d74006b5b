/** A request to change and send again, with the same idempotency key or a new one: the same turn, or another one. */
import { effect } from '@preact/signals'
import { useState } from 'preact/hooks'
import { exchanges, type Exchange } from '../state/exchanges.ts'
import { act } from '../state/live.ts'
import { notify } from '../state/notices.ts'
import { siblingAddress } from '../state/place.ts'
import { callService, headersIn, type ServiceRequest } from '../state/service.ts'
import { credentials } from '../state/tenant.ts'
import { pretty } from '../ui/code.tsx'
import { sameNames, Select } from '../ui/select.tsx'
import { keyHeaders, needsSession, requestOf, withKey } from './resend.ts'

/** Sends it, and shows what the journal has of it as soon as it is there. */
async function sendAndShow(request: ServiceRequest): Promise<void> {
  const last = exchanges.peek().at(-1)?.id ?? 0
  const fits = ({ id, method, path }: Exchange): boolean =>
    id > last && method === request.method && path === request.path
  let isShown = false
  const end = effect(() => {
    const found = isShown ? undefined : exchanges.value.find(fits)
    if (!found) return
    isShown = true
    location.hash = siblingAddress(String(found.id))
  })
  try {
    const response = await callService(request)
    await response.text()
    notify(`Sent: ${response.status}.`)
  } finally {
    // The page hears of it a moment later.
    setTimeout(end, 500)
  }
}

const linesOf = (headers: ServiceRequest['headers']): string =>
  headers.map(([name, value]) => `${name}: ${value}`).join('\n')

interface Draft {
  readonly role: string
  readonly path: string
  readonly headers: string
  readonly body: string
}

/** With a new key: it stands in place of the key in the headers and the body. */
function requestIn(method: string, { path, headers, body }: Draft, newKey: string | null): ServiceRequest {
  const given = headersIn(headers)
  if (newKey === null) return { method, path, headers: given, body: body === '' ? null : body }
  return {
    method,
    path,
    headers: given.map(([name, value]) => [name, keyHeaders.test(name) ? newKey : value]),
    body: body === '' ? null : withKey(body, newKey),
  }
}

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

function Field({ label, value, onChange }: FieldProps) {
  return (
    <label class="field">
      {label}
      <textarea
        class="wide mono"
        rows={Math.min(12, value.split('\n').length)}
        spellcheck={false}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  )
}

export function ResendForm({ one }: { one: Exchange }) {
  const { keys = {}, sessions = {} } = credentials.value ?? {}
  const roles = needsSession(one) ? sessions : keys
  const [draft, setDraft] = useState((): Draft => {
    const values = { apiKey: keys['main'] ?? '', session: sessions['main'] ?? '' }
    const { headers } = requestOf(one, { ...values, key: one.idempotencyKey ?? '' })
    return { role: 'main', path: one.path, headers: linesOf(headers), body: one.request.body }
  })
  const change = (part: Partial<Draft>): void => setDraft({ ...draft, ...part })
  const changeRole = (role: string): void =>
    change({ role, headers: draft.headers.replaceAll(roles[draft.role] ?? '', roles[role] ?? '') })
  const hasKey = one.idempotencyKey !== undefined
  const send = (newKey: string | null) => act(null, () => sendAndShow(requestIn(one.method, draft, newKey)))
  return (
    <details>
      <summary>Edit and send again</summary>
      <div class="row">
        <Select
          label={needsSession(one) ? 'Session' : 'API key'}
          value={draft.role}
          options={sameNames(Object.keys(roles))}
          onChange={changeRole}
        />
        <button type="button" onClick={() => change({ body: pretty(draft.body) })}>
          Format the body
        </button>
      </div>
      <Field label="Path" value={draft.path} onChange={(path) => change({ path })} />
      <Field label="Headers" value={draft.headers} onChange={(headers) => change({ headers })} />
      <Field label="Body" value={draft.body} onChange={(body) => change({ body })} />
      <div class="row">
        <button type="button" class="main" onClick={() => void send(null)}>
          {hasKey ? 'Send with the same key' : 'Send'}
        </button>
        {hasKey && (
          <button type="button" onClick={() => void send(`console-${crypto.randomUUID()}`)}>
            Send with a new key
          </button>
        )}
      </div>
      {hasKey && (
        <p class="soft">
          The same key and message: a replay, without a charge. The same key and another message: a conflict.
          A new key: a new turn, with a charge.
        </p>
      )}
    </details>
  )
}
