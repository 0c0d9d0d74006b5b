/** Conversations as a chat, where one can write as the customer. */
import { useState } from 'preact/hooks'
import { exchanges } from '../state/exchanges.ts'
import { addressOf, place } from '../state/place.ts'
import { credentials } from '../state/tenant.ts'
import { Badge, Empty, Panel } from '../ui/panel.tsx'
import { Account } from './account.tsx'
import { Composer } from './composer.tsx'
import { Transcript } from './transcript-of.tsx'
import { conversationsOf, type ChatConversation } from './transcript.ts'

export function ConversationsView() {
  const all = conversationsOf(exchanges.value)
  const shown = all.find(({ id }) => id === place.value.item)
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
      <Panel title={shown ? `Conversation with ${roleOf(agentId)}` : 'New conversation'}>
        <Account agentId={agentId} />
        {shown ? (
          <Transcript conversation={shown} />
        ) : (
          <Empty>Choose an agent and write the first message.</Empty>
        )}
        <Composer
          key={shown?.id ?? ''}
          conversationId={shown?.id ?? ''}
          agentId={agentId}
          {...(shown ? {} : { role, onRole: setRole })}
        />
      </Panel>
    </div>
  )
}

/** Of an agent that every tenant has; otherwise its id. */
const roleOf = (agentId: string): string =>
  Object.entries(credentials.value?.agents ?? {}).find(([, id]) => id === agentId)?.[0] ?? agentId

function Entry({ one, current }: { one: ChatConversation; current: boolean }) {
  const last = one.turns.at(-1)
  return (
    <a href={addressOf('conversations', one.id)} aria-current={current ? 'page' : undefined}>
      <strong>{roleOf(one.agentId)}</strong> <Badge>{one.turns.length}</Badge>
      <span class="soft cut">{last?.reply || last?.message}</span>
    </a>
  )
}
