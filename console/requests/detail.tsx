import type { ComponentChildren } from 'preact'
import { isOwn, type Exchange } from '../state/exchanges.ts'
import { labelOf } from '../network-faults/network-faults-view.tsx'
import { addressOf, requestAddress } from '../state/place.ts'
import { credentials, roleOf } from '../state/tenant.ts'
import { Code, pretty } from '../ui/code.tsx'
import { Copy } from '../ui/controls.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { copyForms } from './copies.ts'
import { ResendForm } from './resend-form.tsx'
import { keyRoleOf } from './resend.ts'
import {
  bodyTextOf,
  creditsOf,
  durationOf,
  summaryOf,
  membersOf,
  type TimedEvent,
  outcomes,
  type Outcome,
} from './summary.ts'
import { Badge, duration } from '../ui/panel.tsx'

interface DetailProps {
  readonly one: Exchange
  readonly newer: Exchange | undefined
  readonly older: Exchange | undefined
}

export function Detail({ one, newer, older }: DetailProps) {
  const { events } = summaryOf(one)
  return (
    <section class="panel detail" aria-label={`Request ${one.id}`}>
      <header>
        <h2>
          {one.method} <span class="mono">{one.path}</span>
        </h2>
        <span class="row">
          {newer && <a href={requestAddress(String(newer.id))}>Newer</a>}
          {older && <a href={requestAddress(String(older.id))}>Older</a>}
          <a href={requestAddress('')}>Close</a>
        </span>
      </header>
      <Facts one={one} />
      <Copies one={one} />
      <ResendForm one={one} />
      {events.length > 0 && <Timeline events={events} />}
      <h3>Request</h3>
      <Message headers={one.request.headers} body={one.request.body} label="request" />
      <h3>Response</h3>
      {one.status === null ? (
        <p class="soft">
          {one.closedBy === null ? 'Not answered yet.' : 'The connection ended without one.'}
        </p>
      ) : (
        <Message headers={one.responseHeaders} body={bodyTextOf(one)} label="response" />
      )}
    </section>
  )
}

const turns = {
  none: 'not run',
  run: 'ran',
  replay: 'replayed',
  'stored-while-paused': 'message stored',
} as const satisfies Record<NonNullable<Exchange['turn']>['is'], string>

function Facts({ one }: { one: Exchange }) {
  const { outcome, code } = summaryOf(one)
  const { agentId, idempotencyKey, conversationId, turn, faults = [], networkFaults = [] } = one
  const ms = durationOf(one)
  const rows: readonly (readonly [string, ComponentChildren])[] = [
    ['outcome', outcome && <OutcomeBadge outcome={outcome} />],
    ['turn', turn && `${turns[turn.is]}; credits charged: ${creditsOf(one) || 0}`],
    ['faults on', faults.join(', ')],
    ['network faults', networkFaults.map(labelOf).join(', ')],
    [
      'conversation',
      conversationId && <a href={addressOf('conversations', conversationId)}>{conversationId}</a>,
    ],
    ['status', one.status],
    ['code', code],
    ['agent', agentId && `${roleOf(agentId) ?? ''} ${agentId}`],
    ['API key', keyRoleOf(one)],
    ['sent by', isOwn(one) ? 'this console' : ''],
    ['idempotency key', idempotencyKey],
    ['credits left', one.credits?.remaining],
    ['duration', ms === null ? null : duration(ms)],
    ['ended by', one.closedBy],
  ]
  return (
    <dl>
      {rows.map(([name, value]) =>
        (value ?? '') === '' ? null : (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ),
      )}
    </dl>
  )
}

function Copies({ one }: { one: Exchange }) {
  const known = credentials.value
  if (!known) return null
  return (
    <div class="row" role="group" aria-label="Copy the request">
      <span class="soft">Copy as</span>
      {Object.entries(copyForms)
        .filter(([, { fits }]) => fits(one))
        .map(([name, { text }]) => (
          <Copy key={name} text={() => text(one, known)} label={`as ${name}`} shown={name} />
        ))}
    </div>
  )
}

/** JSON with line breaks; of a stream, the data of each event on a line of its own. */
function prettyBody(headers: MessageProps['headers'], body: string): string {
  const isStream = headers.some(([, value]) => value?.startsWith('text/event-stream'))
  if (!isStream) return pretty(body)
  return body
    .replaceAll(/^data: ?/gm, '')
    .replaceAll(/(\r?\n)+/g, '\n')
    .trim()
}

interface MessageProps {
  readonly headers: Exchange['responseHeaders']
  readonly body: string
  readonly label: string
}

function Message({ headers, body, label }: MessageProps) {
  const head = headers.map(([name, value]) => `${name}: ${value}`).join('\n')
  const forms: Readonly<Record<string, string>> = {
    Pretty: prettyBody(headers, body),
    Raw: `${head}\n\n${body}`,
    Headers: head,
  }
  return (
    <Tabs label={`Form of the ${label}`} names={Object.keys(forms)}>
      {(name) => <Code text={forms[name] || 'No body.'} label={`the ${label}`} />}
    </Tabs>
  )
}

function shown(type: string, data: string): string {
  const { type: _, ...members } = membersOf(data)
  if (type === 'token' && typeof members['token'] === 'string') return JSON.stringify(members['token'])
  return Object.keys(members).length === 0 ? data : JSON.stringify(members)
}

function Timeline({ events }: { events: readonly TimedEvent[] }) {
  const whole = Math.max(1, events.at(-1)?.afterMs ?? 1)
  return (
    <>
      <h3>Stream</h3>
      <ol class="timeline" aria-label="Events of the stream" tabIndex={0} role="group">
        {events.map(({ afterMs, type, data }, at) => (
          <li key={at}>
            <span class="number mono">+{afterMs.toFixed(1)} ms</span>
            <span class="track" aria-hidden="true">
              <span style={{ left: `${(100 * afterMs) / whole}%` }} />
            </span>
            <strong>{type}</strong>
            <code>{shown(type, data)}</code>
          </li>
        ))}
      </ol>
    </>
  )
}

export function OutcomeBadge({ outcome }: { outcome: Outcome | null }) {
  return outcome === null ? null : <Badge tone={outcomes[outcome].tone}>{outcomes[outcome].label}</Badge>
}
