/** Where the keyboard goes on when what it was on is gone or disabled: to the row, panel or view that it was in. */

/** The focused element, and all that it is in. */
let focused: readonly HTMLElement[] = []

function remember({ target }: Event): void {
  focused = []
  for (let one = target as HTMLElement | null; one; one = one.parentElement) focused = [...focused, one]
}

/** The detail of another request is in the place of one. */
const present = (one: HTMLElement): HTMLElement | null =>
  one.isConnected ? one : one.matches('.detail') ? document.querySelector('.detail') : null

function goOn(): void {
  const [last] = focused
  if (!last || (last.isConnected && !last.matches(':disabled'))) return
  const places = focused.filter((one) => one.matches('li, section, main')).map(present)
  const place = places.find((one) => one !== null)
  place?.setAttribute('tabindex', '-1')
  place?.focus({ preventScroll: true })
}

export function keepFocus(): void {
  addEventListener('focusin', remember)
  // A pointer that is pressed elsewhere leaves it.
  addEventListener('pointerdown', () => (focused = []), true)
  const change = { childList: true, subtree: true, attributeFilter: ['disabled'] }
  new MutationObserver(() => requestAnimationFrame(goOn)).observe(document.body, change)
}
