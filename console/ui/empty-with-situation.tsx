/** An empty list that a situation fills. */
import type { ComponentChildren } from 'preact'
import { api } from '../state/api.ts'
import { act } from '../state/live.ts'
import { ofTenant } from '../state/tenant.ts'
import { Empty } from './panel.tsx'

export function EmptyWithSituation({
  situation,
  children,
}: {
  situation: string
  children: ComponentChildren
}) {
  const prepare = () =>
    act(`Situation “${situation}” is ready.`, () =>
      api.POST('/_sim/v1/tenants/{tenantId}/situations/{situation}', {
        params: { path: { ...ofTenant(), situation } },
        body: {},
      }),
    )
  return (
    <Empty>
      {children}{' '}
      <button type="button" onClick={() => void prepare()}>
        Make an example
      </button>
    </Empty>
  )
}
