/** Notices at the edge of the page; read out by screen readers as they come. */
import { dismiss, notices } from '../state/notices.ts'
import { Button } from '../ui/button.tsx'

export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, text, failed }) => (
        <p key={id} class={failed ? 'bad' : 'good'}>
          {text}
          <Button shown="×" aria-label="Dismiss" onClick={() => dismiss(id)} />
        </p>
      ))}
    </div>
  )
}
