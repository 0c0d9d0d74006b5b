/** The view that is shown: the part of the address after `#`, such as `#/requests/12?status=409`. */
import { computed, signal } from '@preact/signals'

const hash = signal(location.hash)
addEventListener('hashchange', () => (hash.value = location.hash))

export interface Place {
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

/** A typed address may be one that cannot be decoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const withQuery = (view: string, item: string, query: URLSearchParams): string => {
  const path = item === '' ? `#/${view}` : `#/${view}/${encodeURIComponent(item)}`
  return query.size === 0 ? path : `${path}?${query}`
}

/** What stays the same in every view: the tenant that is shown, and the request up to which the list is cleared. */
const common = ['tenant', 'after']

export function addressOf(view: string, item = ''): string {
  const pairs = [...place.value.query].filter(([name]) => common.includes(name))
  return withQuery(view, item, new URLSearchParams(pairs))
}

/** Of a request, with the filters as they are. */
export const requestAddress = (item: string): string => withQuery('requests', item, place.value.query)

/** Changes the query without a step in the history; empty values are taken out. */
export function setQuery(change: Readonly<Record<string, string>>): void {
  const { view, item, query } = place.peek()
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(change)) {
    if (value === '') next.delete(name)
    else next.set(name, value)
  }
  history.replaceState(null, '', withQuery(view, item, next))
  hash.value = location.hash
}

/** The part after `#` names the view, so that the link cannot. */
export function toMain(event: Event): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('#main')?.focus()
}
