/** Conversations as a chat, where one can write as the customer. */
import { signal } from '@preact/signals'
import { useState, useEffect, useRef } from 'preact/hooks'
import { exchanges } from '../state/exchanges.ts'
import { addressOf, place } from '../state/place.ts'
import { credentials, readTenant, roleOf, inTenant, tenantId } from '../state/tenant.ts'
import { Empty, Panel, Badge } from '../ui/panel.tsx'
import {
  conversationNamed,
  conversationsOf,
  exists,
  sentId,
  type ChatConversation,
  type ChatButton,
  type ChatTurn,
} from './transcript.ts'
import { api } from '../state/api.ts'
import { act, useLive } from '../state/live.ts'
import { Button, Check, Select, sameNames } from '../ui/controls.tsx'
import { newKey, sendShown, streamed } from './send.ts'
import { OutcomeBadge } from '../requests/detail.tsx'
import { creditsOf } from '../requests/summary.ts'

export function ConversationsView() {
  const all = conversationsOf(exchanges.value)
  const shown = conversationNamed(all, place.value.item)
  const [role, setRole] = useState('workflow')
  const agentId = shown?.agentId ?? credentials.value?.agents[role] ?? ''
  // The key of its first message is known before the conversation has an id.
  const draft = shown?.turns[0]?.exchange.idempotencyKey ?? shown?.id ?? ''
  return (
    <div class="chat">
      <aside>
        <a class="new" href={addressOf('conversations')} aria-current={shown ? undefined : 'page'}>
          New conversation
        </a>
        {all.filter(exists).map((one) => (
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
          draft={draft}
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
  const { value } = useLive(readTenant, tenantId.value)
  const account = value?.accounts?.find(({ id }) => id === credentials.value?.accounts['main'])
  const paused = value?.agents?.find(({ id }) => id === agentId)?.paused ?? false
  const setPaused = (wanted: boolean) =>
    act(wanted ? 'AI replies are paused: messages are stored.' : 'The AI replies again.', () =>
      api.PATCH('/_sim/v1/tenants/{tenantId}/agents/{agentId}', {
        ...inTenant({ agentId }),
        body: { paused: wanted },
      }),
    )
  return (
    <p class="row">
      {account && <Badge>{account.credits.toLocaleString('en')} credits</Badge>}
      {paused && <Badge tone="doubt">AI replies are paused</Badge>}
      <Button shown={paused ? 'Resume the agent' : 'Pause the agent'} onClick={() => setPaused(!paused)} />
    </p>
  )
}

interface ComposerProps {
  readonly conversationId: string
  readonly agentId: string
  /** Under which name what is written here is remembered. */
  readonly draft: string
  /** Of a conversation that is yet to begin. */
  readonly role?: string
  readonly onRole?: (role: string) => void
}

const drafts = signal<Readonly<Record<string, string>>>({})
const setDraft = (name: string, message: string): void =>
  void (drafts.value = { ...drafts.peek(), [name]: message })

function Composer({ conversationId, agentId, draft, role, onRole }: ComposerProps) {
  const message = drafts.value[draft] ?? ''
  const send = (event: Event): void => {
    event.preventDefault()
    const key = newKey()
    void sendShown({ conversationId, agentId, message }, key).then((isSent) => {
      if (!isSent) setDraft(draft, drafts.peek()[draft] || message)
    })
    setDraft(draft, '')
    // Its id comes with the reply; the key finds it meanwhile.
    if (conversationId === '') location.hash = addressOf('conversations', key)
  }
  return (
    <form class="row composer" onSubmit={send}>
      {role !== undefined && onRole && (
        <Select
          label="Agent"
          value={role}
          options={sameNames(Object.keys(credentials.value?.agents ?? {}))}
          onChange={onRole}
        />
      )}
      <textarea
        class="grow"
        rows={Math.min(8, message.split('\n').length)}
        aria-label="Message"
        placeholder="Message (Shift+Enter: a new line)"
        required
        value={message}
        onInput={(event) => setDraft(draft, event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
          event.preventDefault()
          event.currentTarget.form?.requestSubmit()
        }}
      />
      <Check label="stream" checked={streamed.value} onChange={(on) => (streamed.value = on)} />
      <Button type="submit" class="main" shown="Send" />
    </form>
  )
}

function Transcript({ conversation }: { conversation: ChatConversation }) {
  const end = useRef<HTMLDivElement>(null)
  const { turns } = conversation
  const length = turns.reduce((sum, { reply }) => sum + reply.length + 1, 0)
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [length])
  // Buttons of an older presentation are stale; they stay here, so that one can see what becomes of them.
  const current = turns.findLast(({ outcome, buttons }) => outcome === 'run' && buttons.length > 0)
  return (
    <div class="transcript" role="log" aria-label="Messages" tabIndex={0}>
      {turns.map((turn) => (
        <TurnOf key={turn.exchange.id} turn={turn} conversation={conversation} stale={turn !== current} />
      ))}
      <div ref={end} />
    </div>
  )
}

function TurnOf({
  turn,
  conversation,
  stale,
}: {
  turn: ChatTurn
  conversation: ChatConversation
  stale: boolean
}) {
  const { credits } = turn.exchange
  const press = ({ label, interaction }: ChatButton) =>
    sendShown({
      agentId: conversation.agentId,
      conversationId: sentId(conversation),
      message: label,
      interaction,
    })
  return (
    <>
      <p class="said customer">
        {turn.pressed && <span class="soft">pressed </span>}
        {turn.message}
      </p>
      <div class="said agent">
        {turn.reply}
        {turn.problem !== '' && <p class="bad">{turn.problem}</p>}
        {turn.reply === '' && turn.problem === '' && (
          <span class="soft">{turn.outcome === 'open' ? 'Waiting for the reply…' : 'No reply.'}</span>
        )}
        {turn.buttons.length > 0 && (
          <p class={stale ? 'row stale' : 'row'}>
            {turn.buttons.map((button, at) => (
              <Button key={at} shown={button.label} onClick={() => press(button)} />
            ))}
            {stale && <span class="soft">no longer current: will be refused</span>}
          </p>
        )}
        <p class="row about">
          <span class="soft">{turn.exchange.at.slice(11, 19)}</span>
          <OutcomeBadge outcome={turn.outcome} />
          {credits && <span class="soft">Credits: {creditsOf(turn.exchange)}</span>}
          <a href={addressOf('requests', String(turn.exchange.id))}>Request</a>
        </p>
      </div>
    </>
  )
}
