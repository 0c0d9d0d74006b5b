/** What is there instead of a view where the address names a tenant that does not exist. */
import { missingTenant, showTenant, tenants } from '../state/tenant.ts'

export function MissingTenant() {
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
