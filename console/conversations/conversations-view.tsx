/** Conversations as a chat, where one can write as the customer. */
import { useState } from 'preact/hooks'
import { exchanges } from '../state/exchanges.ts'
import { addressOf, place } from '../state/place.ts'
import { credentials, roleOf, ofTenant, tenantId } from '../state/tenant.ts'
import { Empty, Panel, Badge } from '../ui/panel.tsx'
import { Composer } from './composer.tsx'
import { Transcript } from './transcript-of.tsx'
import { conversationNamed, conversationsOf, sentId, type ChatConversation } from './transcript.ts'
import { api, bodyOf } from '../state/api.ts'
import { act, useLive } from '../state/live.ts'

export function ConversationsView() {
  const all = conversationsOf(exchanges.value)
  const shown = conversationNamed(all, place.value.item)
  const [role, setRole] = useState('workflow')
  const agentId = shown?.agentId ?? credentials.value?.agents[role] ?? ''
  return (
    <div class="chat">
      <aside>
        <a class="new" href={addressOf('conversations')} aria-current={shown ? undefined : 'page'}>
          New conversation
        </a>
        {all.map((one) => (
          <Entry key={one.id} one={one} current={one.id === shown?.id} />
        ))}
      </aside>
      <Panel title={shown ? `Conversation with ${roleOf(agentId) ?? agentId}` : 'New conversation'}>
        <Account agentId={agentId} />
        {shown ? (
          <Transcript conversation={shown} />
        ) : (
          <Empty>Choose an agent and write the first message.</Empty>
        )}
        <Composer
          conversationId={shown ? sentId(shown) : ''}
          agentId={agentId}
          {...(shown ? {} : { role, onRole: setRole })}
        />
      </Panel>
    </div>
  )
}

function Entry({ one, current }: { one: ChatConversation; current: boolean }) {
  const last = one.turns.at(-1)
  return (
    <a href={addressOf('conversations', one.id)} aria-current={current ? 'page' : undefined}>
      <strong>{roleOf(one.agentId) ?? one.agentId}</strong>{' '}
      <span class="soft">{last?.exchange.at.slice(11, 19)}</span>
      <span class="soft cut">{last?.reply || last?.message}</span>
    </a>
  )
}

function Account({ agentId }: { agentId: string }) {
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
