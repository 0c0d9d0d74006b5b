/** A button that copies a text. */
import { useState } from 'preact/hooks'
import { notify } from '../state/notices.ts'
import { Button } from './button.tsx'

/** `label`: what is copied, for those who do not see where the button stands. */
export interface CopyProps {
  readonly text: string | (() => string)
  readonly label: string
  /** What stands on the button. */
  readonly shown?: string
}

export function Copy({ text, label, shown = 'Copy' }: CopyProps) {
  const [copied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
      setCopied(true)
      setTimeout(() => setCopied(false), 1_500)
    } catch {
      notify('The browser does not let this page copy: select the text instead.', true)
    }
  }
  return (
    <Button
      shown={copied ? 'Copied' : shown}
      class="copy"
      aria-label={`Copy ${label}`}
      onClick={() => copy()}
    />
  )
}
