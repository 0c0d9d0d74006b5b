/** Credits of the account, and whether AI replies of the agent are paused. */
import { api, bodyOf } from '../state/api.ts'
import { act, useLive } from '../state/live.ts'
import { credentials, ofTenant, tenantId } from '../state/tenant.ts'
import { Badge } from '../ui/panel.tsx'

export function Account({ agentId }: { agentId: string }) {
  const { value } = useLive(
    () => bodyOf(api.GET('/_sim/v1/tenants/{tenantId}', { params: { path: ofTenant() } })),
    tenantId.value,
  )
  const account = value?.accounts?.find(({ id }) => id === credentials.value?.accounts['main'])
  const paused = value?.agents?.find(({ id }) => id === agentId)?.paused ?? false
  const setPaused = (wanted: boolean) =>
    act(wanted ? 'AI replies are paused: messages are stored.' : 'The AI replies again.', () =>
      api.PATCH('/_sim/v1/tenants/{tenantId}/agents/{agentId}', {
        params: { path: { ...ofTenant(), agentId } },
        body: { paused: wanted },
      }),
    )
  return (
    <p class="row">
      {account && <Badge>{account.credits.toLocaleString('en')} credits</Badge>}
      {paused && <Badge tone="doubt">AI replies are paused</Badge>}
      <button type="button" onClick={() => void setPaused(!paused)}>
        {paused ? 'Resume the agent' : 'Pause the agent'}
      </button>
    </p>
  )
}
