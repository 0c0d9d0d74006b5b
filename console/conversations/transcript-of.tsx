/** The turns of a conversation, as messages. */
import { useEffect, useRef } from 'preact/hooks'
import { OutcomeBadge } from '../requests/outcome-badge.tsx'
import { summaryOf } from '../requests/summary.ts'
import { act } from '../state/live.ts'
import { addressOf } from '../state/place.ts'
import { sendMessage } from './send.ts'
import type { Button, ChatConversation, ChatTurn } from './transcript.ts'

export function Transcript({ conversation }: { conversation: ChatConversation }) {
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
  const { creditsUsed } = summaryOf(turn.exchange)
  const press = ({ label, interaction }: Button) =>
    act(null, () =>
      sendMessage({
        agentId: conversation.agentId,
        conversationId: conversation.id,
        message: label,
        interaction,
        stream: false,
      }),
    )
  return (
    <>
      <p class="said customer">
        {turn.pressed && <span class="soft">pressed </span>}
        {turn.message}
      </p>
      <div class="said agent">
        {turn.reply === '' ? <span class="soft">{turn.code || 'no reply'}</span> : turn.reply}
        {turn.buttons.length > 0 && (
          <p class="row">
            {turn.buttons.map((button, at) => (
              <button key={at} type="button" onClick={() => void press(button)}>
                {button.label}
              </button>
            ))}
            {stale && <span class="soft">no longer current</span>}
          </p>
        )}
        <p class="row about">
          <OutcomeBadge outcome={turn.outcome} />
          {creditsUsed !== null && (
            <span class="soft">{creditsUsed === 1 ? '1 credit' : `${creditsUsed} credits`}</span>
          )}
          <a href={addressOf('requests', String(turn.exchange.id))}>Request</a>
        </p>
      </div>
    </>
  )
}
