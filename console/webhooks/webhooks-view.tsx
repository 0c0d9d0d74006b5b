/** Webhooks of the tenant, their deliveries, and buttons that make both. */
import { useState } from 'preact/hooks'
import { useLive, act } from '../state/live.ts'
import { tenantId, inTenant } from '../state/tenant.ts'
import { EmptyWithSituation, Loaded, Badge, Empty, Panel, type Tone, duration } from '../ui/panel.tsx'
import { api, bodyOf, type Schemas } from '../state/api.ts'
import { Code, pretty } from '../ui/code.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Endpoints, type Webhook } from './endpoints.tsx'
import { verifyForms } from './verify-forms.ts'
import { advance, readClock } from '../clock/clock-view.tsx'
import { Button } from '../ui/controls.tsx'

type Sent = Schemas['SentAttempt']

/** Duplicates have the same id: the attempts of this one are those of its numbers and times. */
function ownOf({ attempts, state }: Delivery, all: readonly Sent[]): readonly Sent[] {
  const own = attempts.flatMap(
    ({ number, at }) => all.find((sent) => sent.number === number && sent.at === at) ?? [],
  )
  const current = state === 'in-flight' ? all.findLast((sent) => sent.result === undefined) : undefined
  return current ? [...own, current] : own
}

function SentAttempts({ delivery }: { delivery: Delivery }) {
  const { id, state, attempts } = delivery
  const read = () =>
    bodyOf(
      api.GET('/_sim/v1/tenants/{tenantId}/deliveries/{deliveryId}/attempts', inTenant({ deliveryId: id })),
    )
  const live = useLive(read, `${tenantId.value} ${id} ${state} ${attempts.length}`, 60_000)
  return (
    <Loaded live={live}>
      {(list) => {
        const own = ownOf(delivery, list.attempts)
        if (own.length === 0) return <Empty>The simulator no longer has what was sent.</Empty>
        return own.map((sent) => <Attempt key={`${sent.number} ${sent.at}`} sent={sent} />)
      }}
    </Loaded>
  )
}

function Attempt({ sent }: { sent: Sent }) {
  const { number, url, method, headers, body, result, signature } = sent
  const head = headers.map(([name, value]) => `${name}: ${value}`).join('\n')
  const forms: Readonly<Record<string, string>> = {
    Raw: `${method} ${url}\n${head}\n\n${body}`,
    Pretty: pretty(body),
  }
  return (
    <section aria-label={`Attempt ${number} as it was sent`}>
      <h3>
        Attempt {number}:{' '}
        {result
          ? `${result.status ?? 'no response'} after ${Math.round(result.tookMs)} ms`
          : 'waiting for the response'}
      </h3>
      <Signature signature={signature} />
      <Tabs
        label={`Attempt ${number}`}
        names={[...Object.keys(forms), ...Object.keys(verifyForms).map((name) => `Verify in ${name}`)]}
      >
        {(name) => <Code text={forms[name] ?? verified(sent, name)} label={name} />}
      </Tabs>
    </section>
  )
}

const verified = ({ bodyBase64, signature: { sent } }: Sent, name: string): string =>
  verifyForms[name.replace('Verify in ', '')]?.({ bodyBase64, signature: sent ?? '' }) ?? ''

function Signature({ signature: { sent, computed } }: Pick<Sent, 'signature'>) {
  const isGenuine = sent === computed
  return (
    <dl>
      <dt>signature sent</dt>
      <dd class="mono">{sent ?? 'none'}</dd>
      <dt>computed</dt>
      <dd>
        <span class="mono">{computed}</span>{' '}
        <Badge tone={isGenuine ? 'good' : 'bad'}>{isGenuine ? 'equal' : 'different'}</Badge>
      </dd>
    </dl>
  )
}

const mostShown = 100

const lastOf = ({ at, attempts }: Delivery): string => attempts.at(-1)?.at ?? at

const tones: Readonly<Record<string, Tone>> = { delivered: 'good', failed: 'bad', dropped: 'bad' }

function Deliveries({ deliveries, webhooks, now }: Awaited<ReturnType<typeof readWebhooks>>) {
  const newest = deliveries.toSorted((one, other) => lastOf(other).localeCompare(lastOf(one)))
  return (
    <Panel title="Deliveries">
      {newest.length === 0 && (
        <EmptyWithSituation situation="webhook-retry">
          No deliveries yet. Create a webhook and trigger an event, or send a message to its agent.
        </EmptyWithSituation>
      )}
      {newest.slice(0, mostShown).map((delivery) => (
        <DeliveryOf
          key={delivery.id}
          delivery={delivery}
          webhook={webhooks.find(({ id }) => id === delivery.webhookId)}
          now={now}
        />
      ))}
      {newest.length > mostShown && <p class="soft">{newest.length - mostShown} older ones.</p>}
    </Panel>
  )
}

const again = (deliveryId: string, sameId: boolean) =>
  act(sameId ? 'Sent again under the same id: a duplicate.' : 'Sent again as a delivery of its own.', () =>
    api.POST('/_sim/v1/tenants/{tenantId}/deliveries/{deliveryId}/again', {
      ...inTenant({ deliveryId }),
      body: { sameId },
    }),
  )

interface DeliveryProps {
  readonly delivery: Delivery
  readonly webhook: Webhook | undefined
  readonly now: number
}

function DeliveryOf({ delivery, webhook, now }: DeliveryProps) {
  const [open, setOpen] = useState(false)
  const { id, webhookId, event, state, attempts, nextAttemptAt } = delivery
  const waitMs = nextAttemptAt ? Math.max(0, Date.parse(nextAttemptAt) - now) : null
  return (
    <article class="delivery" aria-label={`Delivery ${id}`}>
      <p class="row">
        <strong>{event}</strong>
        <Badge tone={tones[state] ?? 'quiet'}>{state}</Badge>
        {state === 'waiting' && webhook?.pausedUntil && (
          <span class="soft">until the pause of the endpoint is over</span>
        )}
        <span class="grow" />
        <Button shown="Send again, new id" onClick={() => again(id, false)} />
        <Button shown="Send again, same id" onClick={() => again(id, true)} />
      </p>
      <p class="soft">
        <span class="mono">{id}</span> to {webhook?.endpointUrl ?? 'an endpoint that was removed'}, webhook{' '}
        <span class="mono">{webhookId}</span>
      </p>
      <ol>
        {attempts.map(({ number, at, tookMs, status, reason }) => (
          <li key={number} value={number}>
            {at.slice(11, 23)} {status ?? 'no response'} after {Math.round(tookMs)} ms{' '}
            <span class="soft">{reason}</span>
          </li>
        ))}
      </ol>
      {waitMs !== null && (
        <p class="row">
          Attempt {attempts.length + 1} in {duration(waitMs)}.
          <Button shown="Move the clock there" onClick={() => advance(Math.ceil(waitMs))} />
        </p>
      )}
      {attempts.length > 0 && (
        <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>What was sent, and how to verify it</summary>
          {open && <SentAttempts delivery={delivery} />}
        </details>
      )}
    </article>
  )
}

export function WebhooksView() {
  const live = useLive(readWebhooks, tenantId.value, 500)
  return (
    <Loaded live={live}>
      {({ webhooks, deliveries, now }) => (
        <>
          <Endpoints webhooks={webhooks} />
          <Deliveries deliveries={deliveries} webhooks={webhooks} now={now} />
        </>
      )}
    </Loaded>
  )
}

type Delivery = Schemas['SentDelivery']

async function readWebhooks() {
  const [{ webhooks }, { deliveries }, { now }] = await Promise.all([
    bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/webhooks', inTenant())),
    bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/deliveries', inTenant())),
    readClock(),
  ])
  return { webhooks, deliveries, now: Date.parse(now) }
}
