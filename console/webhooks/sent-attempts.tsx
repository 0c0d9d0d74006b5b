/** What the attempts of a delivery sent: the bytes, the signature beside the one that belongs to them, and how to verify it. */
import { api, bodyOf, type Schemas } from '../state/api.ts'
import { useLive } from '../state/live.ts'
import { ofTenant, tenantId } from '../state/tenant.ts'
import { Code, pretty } from '../ui/code.tsx'
import { Badge, Empty, Loaded } from '../ui/panel.tsx'
import { Tabs } from '../ui/tabs.tsx'
import type { Delivery } from './read.ts'
import { verifyForms } from './verify-forms.ts'

type Sent = Schemas['SentAttempt']

const read = (deliveryId: string) =>
  bodyOf(
    api.GET('/_sim/v1/tenants/{tenantId}/deliveries/{deliveryId}/attempts', {
      params: { path: { ...ofTenant(), deliveryId } },
    }),
  )

/** Duplicates have the same id: the attempts of this one are those of its numbers and times. */
function ownOf({ attempts, state }: Delivery, all: readonly Sent[]): readonly Sent[] {
  const own = attempts.flatMap(
    ({ number, at }) => all.find((sent) => sent.number === number && sent.at === at) ?? [],
  )
  const current = state === 'in-flight' ? all.findLast((sent) => sent.result === undefined) : undefined
  return current ? [...own, current] : own
}

export function SentAttempts({ delivery }: { delivery: Delivery }) {
  const { id, state, attempts } = delivery
  const live = useLive(() => read(id), `${tenantId.value} ${id} ${state} ${attempts.length}`, 60_000)
  return (
    <Loaded live={live}>
      {(list) => {
        const own = ownOf(delivery, list.attempts)
        if (own.length === 0) return <Empty>Nothing is remembered of what was sent.</Empty>
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
