/** A button for what cannot be reversed: it asks once more, in its place. */
import { useEffect, useRef, useState } from 'preact/hooks'

export interface ConfirmProps {
  readonly shown: string
  readonly question: string
  readonly disabled?: boolean
  readonly onConfirm: () => void
}

export function Confirm({ shown, question, disabled = false, onConfirm }: ConfirmProps) {
  const [asks, setAsks] = useState(false)
  const keep = useRef<HTMLButtonElement>(null)
  // Whoever came by keyboard stays where they are, and on the button that changes nothing.
  useEffect(() => (asks ? keep.current?.focus() : undefined), [asks])
  if (!asks)
    return (
      <button type="button" disabled={disabled} onClick={() => setAsks(true)}>
        {shown}
      </button>
    )
  const confirm = (): void => {
    setAsks(false)
    onConfirm()
  }
  return (
    <span class="row" role="group" aria-label={question}>
      <span>{question}</span>
      <button type="button" onClick={confirm}>
        Yes, {shown.toLowerCase()}
      </button>
      <button type="button" ref={keep} onClick={() => setAsks(false)}>
        Cancel
      </button>
    </span>
  )
}
