/** Asks for the control token where the simulator requires one. */
import { useState } from 'preact/hooks'
import { token, tokenMissing } from '../state/api.ts'

export function TokenForm() {
  const [given, setGiven] = useState('')
  const submit = (event: Event): void => {
    event.preventDefault()
    token.value = given.trim()
    tokenMissing.value = false
  }
  return (
    <form class="token panel" onSubmit={submit}>
      <h1>Control token</h1>
      <p>
        {token.value === ''
          ? 'This simulator requires its control token, the one given with --control-token.'
          : 'That is not the control token of this simulator.'}{' '}
        It stays in the memory of this page.
      </p>
      <label>
        Token{' '}
        <input
          type="password"
          autocomplete="off"
          required
          value={given}
          onInput={(event) => setGiven(event.currentTarget.value)}
        />
      </label>
      <button type="submit">Open the console</button>
    </form>
  )
}
