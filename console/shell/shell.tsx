/** The frame of every view: navigation, tenant, clock, notices. */
import { tokenMissing, token } from '../state/api.ts'
import { addressOf, place } from '../state/place.ts'
import { missingTenant, tenantId, showTenant, tenants } from '../state/tenant.ts'
import { views } from '../views.ts'
import { Notices } from './notices.tsx'
import { Status } from './status.tsx'
import { useState } from 'preact/hooks'

export function Shell() {
  if (tokenMissing.value) return <TokenForm />
  const view = views.find(({ id }) => id === place.value.view) ?? views[0]
  const { component: Shown } = view
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

/** The part after `#` names the view, so that the link cannot. */
function toMain(event: Event): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('#main')?.focus()
}

function MissingTenant() {
  return (
    <>
      <p class="problem" role="alert">
        There is no tenant <span class="mono">{missingTenant}</span>: it was removed, or belongs to a
        simulator that was stopped. Show one of these:
      </p>
      <ul class="plain">
        {tenants.value.map(({ id, isDefault }) => (
          <li key={id} class="row">
            <button type="button" onClick={() => showTenant(id)}>
              {id}
            </button>
            {isDefault && <span class="soft">default</span>}
          </li>
        ))}
      </ul>
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
      <label>
        Token{' '}
        <input
          type="password"
          autocomplete="off"
          required
          value={given}
          onInput={(event) => setGiven(event.currentTarget.value)}
        />
      </label>
      <button type="submit">Open the console</button>
    </form>
  )
}
