/** Where somebody is in the console: the part of the address after `#`, such as `#/requests/12?status=409`. */
import { computed, signal } from '@preact/signals'

const hash = signal(location.hash)
addEventListener('hashchange', () => (hash.value = location.hash))

export interface Place {
  /** Id of the view. */
  readonly view: string
  /** What it shows, such as the id of a request; empty for none. */
  readonly item: string
  readonly query: URLSearchParams
}

export const place = computed((): Place => {
  const [path = '', query = ''] = hash.value.replace(/^#\/?/, '').split('?')
  const [view = '', ...item] = path.split('/')
  return { view, item: decoded(item.join('/')), query: new URLSearchParams(query) }
})

/** An address that somebody typed may be one that cannot be decoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const addressOf = (view: string, item = ''): string =>
  item === '' ? `#/${view}` : `#/${view}/${encodeURIComponent(item)}`

/** Changes the query without a step in the history; empty values are taken out. */
export function setQuery(change: Readonly<Record<string, string>>): void {
  const { view, item, query } = place.peek()
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(change)) {
    if (value === '') next.delete(name)
    else next.set(name, value)
  }
  const text = next.toString()
  history.replaceState(null, '', `${addressOf(view, item)}${text === '' ? '' : `?${text}`}`)
  hash.value = location.hash
}
