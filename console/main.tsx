import { render } from 'preact'
import './style.css'
import { Shell } from './shell/shell.tsx'

// Where the keyboard continues when what it was on is gone or disabled: at the row, panel or view around it.

let focused: readonly HTMLElement[] = []

function remember({ target }: Event): void {
  focused = []
  for (let one = target as HTMLElement | null; one; one = one.parentElement) focused = [...focused, one]
}

/** The detail of another request is in the place of one. */
const present = (one: HTMLElement): HTMLElement | null =>
  one.isConnected ? one : one.matches('.detail') ? document.querySelector('.detail') : null

function restoreFocus(): void {
  const [last] = focused
  if (!last || (last.isConnected && !last.matches(':disabled'))) return
  const around = focused.filter((one) => one.matches('li, section, main')).map(present)
  const next = around.find((one) => one !== null)
  next?.setAttribute('tabindex', '-1')
  next?.focus({ preventScroll: true })
}

addEventListener('focusin', remember)
// A pointer that is pressed elsewhere leaves it.
addEventListener('pointerdown', () => (focused = []), true)
const change = { childList: true, subtree: true, attributeFilter: ['disabled'] }
new MutationObserver(() => requestAnimationFrame(restoreFocus)).observe(document.body, change)

const place = document.querySelector('#console')
if (place) render(<Shell />, place)
