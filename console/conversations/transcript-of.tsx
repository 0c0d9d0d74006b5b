/** The turns of a conversation, as messages. */
import { useEffect, useRef } from 'preact/hooks'
import { OutcomeBadge } from '../requests/outcome-badge.tsx'
import { addressOf } from '../state/place.ts'
import { sendShown } from './send.ts'
import { sentId, type Button, type ChatConversation, type ChatTurn } from './transcript.ts'

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
  const { credits } = turn.exchange
  const press = ({ label, interaction }: Button) =>
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
              <button key={at} type="button" onClick={() => void press(button)}>
                {button.label}
              </button>
            ))}
            {stale && <span class="soft">no longer current: will be refused</span>}
          </p>
        )}
        <p class="row about">
          <OutcomeBadge outcome={turn.outcome} />
          {credits && <span class="soft">{credits.used === 1 ? '1 credit' : `${credits.used} credits`}</span>}
          <a href={addressOf('requests', String(turn.exchange.id))}>Request</a>
        </p>
      </div>
    </>
  )
}
