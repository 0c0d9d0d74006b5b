/** Text as it is: never markup. */
import { parsed } from '../state/api.ts'
import { Copy } from './controls.tsx'

export const pretty = (text: string): string => JSON.stringify(parsed(text), null, 2) ?? text

export function Code({ text, label }: { text: string; label: string }) {
  return (
    <div class="code">
      {/* Scrolls, so that it can be reached by keyboard. */}
      <pre tabIndex={0} role="group" aria-label={label}>
        {text}
      </pre>
      <Copy text={text} label={label} />
    </div>
  )
}

/** Offers a file; the browser has read its content by the next task. */
export function saveFile(name: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  Object.assign(document.createElement('a'), { href, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
