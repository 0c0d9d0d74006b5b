/** A request to change and send again, with the same idempotency key or a new one: the same turn, or another one. */
import { effect } from '@preact/signals'
import { useState } from 'preact/hooks'
import { newKey } from '../conversations/send.ts'
import { exchanges, type Exchange } from '../state/exchanges.ts'
import { act } from '../state/live.ts'
import { notify } from '../state/notices.ts'
import { requestAddress } from '../state/place.ts'
import { callService, headersIn, type ServiceRequest } from '../state/service.ts'
import { keyHeaders, requestOf, withKey } from './resend.ts'
import { Button, Field } from '../ui/controls.tsx'

export async function sendAndShow(request: ServiceRequest): Promise<void> {
  const last = exchanges.peek().at(-1)?.id ?? 0
  const fits = ({ id, method, path }: Exchange): boolean =>
    id > last && method === request.method && path === request.path
  let isShown = false
  const end = effect(() => {
    const found = isShown ? undefined : exchanges.value.find(fits)
    if (!found) return
    isShown = true
    location.hash = requestAddress(String(found.id))
  })
  try {
    const response = await callService(request)
    await response.text()
    notify(`Sent: ${response.status}.`)
  } finally {
    // It may reach the page a moment later.
    setTimeout(end, 500)
  }
}

const linesOf = (headers: ServiceRequest['headers']): string =>
  headers.map(([name, value]) => `${name}: ${value}`).join('\n')

interface Draft {
  readonly path: string
  readonly headers: string
  readonly body: string
}

/** With a new key: it stands in place of the key in the headers and the body, or in a header. Throws if it is none. */
function requestIn(method: string, { path, headers, body }: Draft, newKey: string | null): ServiceRequest {
  if (!/^\/(?!\/)/.test(path)) throw new Error('Path: begin with one /.')
  const given = headersIn(headers)
  if (newKey === null) return { method, path, headers: given, body: body === '' ? null : body }
  const keyed = withKey(body, newKey)
  const others = given.filter(([name]) => !keyHeaders.test(name))
  const isInBody = keyed !== body && others.length === given.length
  return {
    method,
    path,
    headers: isInBody ? others : [...others, ['Idempotency-Key', newKey]],
    body: body === '' ? null : keyed,
  }
}

export function ResendForm({ one }: { one: Exchange }) {
  const [draft, setDraft] = useState((): Draft => ({
    path: one.path,
    headers: linesOf(requestOf(one).headers),
    body: one.request.body,
  }))
  const change = (part: Partial<Draft>): void => setDraft({ ...draft, ...part })
  const hasKey = one.idempotencyKey !== undefined
  const send = (newKey: string | null) => act(null, () => sendAndShow(requestIn(one.method, draft, newKey)))
  return (
    <details>
      <summary>Edit and send again</summary>
      <Field label="Path" value={draft.path} onChange={(path) => change({ path })} />
      <Field label="Headers" value={draft.headers} onChange={(headers) => change({ headers })} />
      <Field label="Body" value={draft.body} onChange={(body) => change({ body })} />
      <div class="row">
        <Button shown={hasKey ? 'Send with the same key' : 'Send'} class="main" onClick={() => send(null)} />
        {hasKey && <Button shown="Send with a new key" onClick={() => send(newKey())} />}
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
