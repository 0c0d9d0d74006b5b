/** Addresses within the page: `#/checks/ID?run=NAME&verdict=fail`. Without `run` it is the first of the named runs. */
import { computed, signal } from '@preact/signals'
import { addressOf, place, setQuery } from '../state/place.ts'

/** Of the run that is shown where the address names none. */
export const firstRun = signal('')

export const runId = computed(() => place.value.query.get('run') ?? firstRun.value)

/** The address of a view, for the same run. `query`: more that the address is to have. */
export function runAddress(view: string, item = '', query: Readonly<Record<string, string>> = {}): string {
  const run = place.value.query.get('run')
  const words = new URLSearchParams({ ...(run === null ? {} : { run }), ...query }).toString()
  return `${addressOf(view, item)}${words === '' ? '' : `?${words}`}`
}

/** The filters of the list that is shown, so that they stay while its entries are opened. */
export function filters(names: readonly string[]): Readonly<Record<string, string>> {
  const { query } = place.value
  return Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const value = query.get(name) ?? ''
      return value === '' ? [] : [[name, value]]
    }),
  )
}

export const setFilter = (name: string, value: string): void => setQuery({ [name]: value })
