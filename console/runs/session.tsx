/** The token of this session: from the printed address, or from another tab that has it. */
import { useState } from 'preact/hooks'
import { token, tokenMissing } from '../state/api.ts'

/** Stays after the session, when it opens nothing any more: links can be opened in another tab. */
const storageKey = 'touchstone-token'

function setToken(given: string): void {
  token.value = given
  tokenMissing.value = given === ''
  localStorage.setItem(storageKey, given)
}

/** Takes the token, or the code for it, out of the address, so that neither history nor bookmarks have it. */
async function fromAddress(): Promise<string> {
  const [, kind, given = ''] = /^#(token|code)=([\w-]+)$/.exec(location.hash) ?? []
  if (given !== '') location.replace('#/')
  if (kind !== 'code') return given
  const response = await fetch(`/session?code=${given}`)
  // A code counts once; for another the page asks for the address.
  return response.ok ? ((await response.json()) as { token: string }).token : ''
}

export async function openSession(): Promise<void> {
  setToken((await fromAddress()) || (localStorage.getItem(storageKey) ?? ''))
}

/** Asks for the printed address where the page was opened without it. */
export function SessionForm() {
  const [given, setGiven] = useState('')
  const submit = (event: Event): void => {
    event.preventDefault()
    setToken(given.trim().replace(/^.*#token=/, ''))
  }
  return (
    <form class="token panel" onSubmit={submit}>
      <h1>The run is shown to this session only</h1>
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
