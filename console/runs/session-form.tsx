/** Asks for the printed address where the page was opened without it. */
import { useState } from 'preact/hooks'
import { enterSession } from './session.ts'

export function SessionForm() {
  const [given, setGiven] = useState('')
  const submit = (event: Event): void => {
    event.preventDefault()
    enterSession(given)
  }
  return (
    <form class="token panel" onSubmit={submit}>
      <h1>Runs are shown to this session only</h1>
      <p>Open the address that `touchstone show` printed, or paste it here: it ends in a token.</p>
      <label>
        Address{' '}
        <input
          type="password"
          autocomplete="off"
          required
          value={given}
          onInput={({ currentTarget: { value } }) => setGiven(value)}
        />
      </label>{' '}
      <button type="submit">Open</button>
    </form>
  )
}
