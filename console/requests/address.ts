/** Where exchanges are shown. */
import { addressOf, place } from '../state/place.ts'

/** Where one exchange is shown, with the filter as it is. */
export function exchangeAddress(id: number): string {
  const query = place.value.query.toString()
  return `${addressOf('requests', String(id))}${query === '' ? '' : `?${query}`}`
}
