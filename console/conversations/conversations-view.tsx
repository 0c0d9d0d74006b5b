/** Conversations as a chat, where one can write as the customer. */
import { useState } from 'preact/hooks'
import { exchanges } from '../state/exchanges.ts'
import { addressOf, place } from '../state/place.ts'
import { credentials, roleOf } from '../state/tenant.ts'
import { Empty, Panel } from '../ui/panel.tsx'
import { Account } from './account.tsx'
import { Composer } from './composer.tsx'
import { Transcript } from './transcript-of.tsx'
import { conversationNamed, conversationsOf, sentId, type ChatConversation } from './transcript.ts'

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
