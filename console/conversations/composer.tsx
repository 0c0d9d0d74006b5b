/** Where one writes as the customer. */
import { useState } from 'preact/hooks'
import { addressOf } from '../state/place.ts'
import { credentials } from '../state/tenant.ts'
import { sameNames, Select } from '../ui/select.tsx'
import { newKey, sendShown, streamed } from './send.ts'

export interface ComposerProps {
  readonly conversationId: string
  readonly agentId: string
  /** Of a conversation that is yet to begin. */
  readonly role?: string
  readonly onRole?: (role: string) => void
}

export function Composer({ conversationId, agentId, role, onRole }: ComposerProps) {
  const [message, setMessage] = useState('')
  const send = (event: Event): void => {
    event.preventDefault()
    const key = newKey()
    void sendShown({ conversationId, agentId, message }, key)
    setMessage('')
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
      <input
        class="grow"
        aria-label="Message"
        placeholder="Message"
        required
        maxLength={10_000}
        value={message}
        onInput={(event) => setMessage(event.currentTarget.value)}
      />
      <label>
        <input
          type="checkbox"
          checked={streamed.value}
          onChange={(event) => void (streamed.value = event.currentTarget.checked)}
        />{' '}
        stream
      </label>
      <button type="submit" class="main">
        Send
      </button>
    </form>
  )
}
