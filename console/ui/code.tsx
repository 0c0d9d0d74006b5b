/** Text as it is: never markup. */
import { Copy } from './controls.tsx'

export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

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
