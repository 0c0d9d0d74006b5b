/** The frame of every view: navigation, tenant, clock, notices. */
import { useState, useEffect } from 'preact/hooks'
import { tokenMissing, token } from '../state/api.ts'
import { addressOf, place, toMain } from '../state/place.ts'
import {
  missingTenant,
  readHolds,
  readPending,
  tenantId,
  showTenant,
  tenants,
  readTenants,
} from '../state/tenant.ts'
import { views } from '../views.ts'
import { dismiss, notice, unreachable } from '../state/notices.ts'
import { readClock } from '../clock/clock-view.tsx'
import { connection, followJournal } from '../state/exchanges.ts'
import { useLive } from '../state/live.ts'
import { Button, Input, Select, sameNames } from '../ui/controls.tsx'
import { Badge, Text, counted, duration, namedOrCounted } from '../ui/panel.tsx'

function Status() {
  const read = useLive(readTenants, place.value.query.get('tenant') ?? '', 5_000)
  const id = tenantId.value
  useEffect(() => (id === '' ? undefined : followJournal(id)), [id])
  return (
    <>
      {tenants.value.length > 1 && (
        <Select
          label="Tenant"
          value={id}
          options={sameNames(tenants.value.map((one) => one.id))}
          onChange={showTenant}
        />
      )}
      {id !== '' && <Time />}
      {id !== '' && <Armed />}
      <Connection problem={read.problem} />
    </>
  )
}

async function readArmed() {
  const [holds, { networkFaults, failures }] = await Promise.all([readHolds(), readPending()])
  return { holds: holds.length, queued: networkFaults.length + failures.length }
}

function Armed() {
  const { value } = useLive(readArmed, tenantId.value, 2_000)
  const shown = tenants.value.find(({ id }) => id === tenantId.value)
  const links: readonly (readonly [view: string, text: string])[] = [
    ['switches', namedOrCounted(shown?.faults ?? [], 'fault')],
    ['switches', namedOrCounted(shown?.variants ?? [], 'variant')],
    ['turns', counted(value?.holds ?? 0, 'hold')],
    ['network-faults', counted(value?.queued ?? 0, 'network fault')],
  ]
  return (
    <>
      {links.map(([view, text]) =>
        text === '' ? null : (
          <a key={text} href={addressOf(view)}>
            {text}
          </a>
        ),
      )}
    </>
  )
}

async function readTime() {
  const { now, setting } = await readClock()
  return { now: new Date(now), mode: setting.mode, aheadMs: Date.parse(now) - Date.now() }
}

/** Less is the way of the response. */
const noticeableMs = 5_000

function movedBy(aheadMs: number): string {
  if (Math.abs(aheadMs) < noticeableMs) return ''
  return aheadMs > 0 ? `, ${duration(aheadMs)} ahead` : `, ${duration(-aheadMs)} behind`
}

function Time() {
  const { value } = useLive(readTime, tenantId.value, 1_000)
  if (!value) return null
  return (
    <a href={addressOf('clock')}>
      <span class="mono">{value.now.toISOString().slice(11, 19)}</span> {value.mode}
      {movedBy(value.aheadMs)}
    </a>
  )
}

function Connection({ problem }: { problem: string | null }) {
  const state = connection.value
  const why = typeof state === 'object' ? state.problem : problem
  if (why !== null)
    return (
      <Badge tone="bad">
        Not connected: {why === unreachable ? 'is the simulator running?' : why} Trying again.
      </Badge>
    )
  return state === 'live' ? <Badge tone="good">live</Badge> : <Badge tone="quiet">connecting</Badge>
}

export const Shell = () => (tokenMissing.value ? <TokenForm /> : <Frame />)

function Frame() {
  const wanted = place.value.view
  const view = views.find(({ id }) => id === wanted) ?? views[0]
  const { component: Shown } = view
  // On a phone, the bar is wider than the page.
  useEffect(() => {
    document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [view])
  return (
    <>
      <a class="skip" href="#main" onClick={toMain}>
        To the content
      </a>
      <header class="top">
        <strong>Touchstone</strong>
        <Status />
      </header>
      <nav aria-label="Views">
        {views.map(({ id, title }) => (
          <a key={id} href={addressOf(id)} aria-current={id === view.id ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <main id="main" tabIndex={-1}>
        <h1>{view.title}</h1>
        {wanted !== '' && wanted !== view.id && (
          <p class="problem" role="alert">
            There is no view <span class="mono">{wanted}</span>: the address is wrong. This is {view.title}.
          </p>
        )}
        {tenantId.value === '' ? (
          <p class="soft">Loading…</p>
        ) : missingTenant.value === '' ? (
          <Shown key={`${view.id} ${tenantId.value}`} />
        ) : (
          <MissingTenant />
        )}
      </main>
      <Notices />
    </>
  )
}

/** Read out by screen readers as they appear. */
function Notices() {
  const shown = notice.value
  return (
    <div class="notices" role="status" aria-live="polite">
      {shown && (
        <p key={shown.id} class={shown.failed ? 'bad' : 'good'}>
          <span>
            <Text text={shown.text} />
          </span>
          <Button shown="×" aria-label="Dismiss" onClick={() => dismiss(shown.id)} />
        </p>
      )}
    </div>
  )
}

function MissingTenant() {
  return (
    <>
      <p class="problem" role="alert">
        There is no tenant <span class="mono">{missingTenant}</span>: it was removed, or belongs to a
        simulator that was stopped. Show one of these:
      </p>
      {tenants.value.map(({ id }) => (
        <Button key={id} shown={id} onClick={() => showTenant(id)} />
      ))}
    </>
  )
}

function TokenForm() {
  const [given, setGiven] = useState('')
  const submit = (event: Event): void => {
    event.preventDefault()
    token.value = given.trim()
    tokenMissing.value = false
  }
  return (
    <form class="token panel" onSubmit={submit}>
      <h1>Control token</h1>
      <p>
        {token.value === ''
          ? 'This simulator requires its control token, the one given with --control-token.'
          : 'That is not the control token of this simulator.'}{' '}
        It stays in the memory of this page.
      </p>
      <Input label="Token" type="password" autocomplete="off" required value={given} onChange={setGiven} />
      <Button type="submit" shown="Open the console" />
    </form>
  )
}
