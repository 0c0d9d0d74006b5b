/** The frame of every view: navigation, tenant, clock, notices. */
import { tokenMissing } from '../state/api.ts'
import { addressOf, place } from '../state/place.ts'
import { missingTenant, tenantId } from '../state/tenant.ts'
import { views } from '../views.ts'
import { MissingTenant } from './missing-tenant.tsx'
import { Notices } from './notices.tsx'
import { Status } from './status.tsx'
import { TokenForm } from './token.tsx'

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
