/** The run that is shown, as its folder has it. It is read once, since a recorded run does not change. */
import { computed, signal } from '@preact/signals'
import type { Finding, RunRecord } from '../../reports/bundle/record.ts'
import { byArea } from '../../reports/verdicts/tally.ts'
import { subjectOf } from '../../reports/run/subject.ts'
import { messageOf } from '../state/notices.ts'
import { addressOf, place, setQuery } from '../state/place.ts'
import { exchangesIn, exchangeText, fileOf, type RecordedExchange } from './journal.ts'

export interface ShownRun {
  readonly record: RunRecord
  /** In the order of the contract. */
  readonly findings: readonly Finding[]
  /** In the order sent. */
  readonly exchanges: readonly RecordedExchange[]
  readonly byId: ReadonlyMap<number, RecordedExchange>
  /** Numbers of the lines of the journal that cannot be read. */
  readonly unreadable: readonly number[]
}

export const run = signal<ShownRun | null>(null)
export const problem = signal<string | null>(null)

export async function openRun(): Promise<void> {
  problem.value = null
  try {
    const record = (await (await fileOf('run.json')).json()) as RunRecord
    const { exchanges, unreadable } = exchangesIn(await (await fileOf('journal.ndjson')).text())
    const findings = [...byArea(record.findings).values()].flat()
    run.value = {
      record,
      findings,
      exchanges,
      byId: new Map(exchanges.map((one) => [one.id, one])),
      unreadable,
    }
  } catch (error) {
    problem.value = messageOf(error)
  }
}

/** An address such as `#/checks/ID?verdict=fail`; what is in `query` narrows the list. */
export function runAddress(view: string, item = '', query: Readonly<Record<string, string>> = {}): string {
  const stated = Object.entries(query).filter(([, value]) => value !== '')
  const words = new URLSearchParams(stated).toString()
  return `${addressOf(view, item)}${words === '' ? '' : `?${words}`}`
}

/** The filters in the address, so that they stay while the entries of a list are opened. */
export const filters = computed((): Readonly<Record<string, string>> => Object.fromEntries(place.value.query))
export const filter = (name: string): string => filters.value[name] ?? ''
export const setFilter = (name: string, value: string): void => setQuery({ [name]: value })

const has = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase())

/** Checks that all filters admit; text is looked for in the exchanges that a check rests on, too. */
export const shownChecks = computed((): readonly Finding[] => {
  if (!run.value) return []
  const { findings, record, byId } = run.value
  const [verdicts, text] = [filter('verdict').split(',').filter(Boolean), filter('text')]
  const wordsIn = ({ check, title, expected, got, detail, subject }: Finding): string =>
    [check, title, expected, got, detail, subjectOf(subject, record).text].join('\n')
  const hasText = (finding: Finding): boolean =>
    has(wordsIn(finding), text) || finding.evidence.some((id) => has(exchangeText(byId.get(id)), text))
  return findings.filter(
    (finding) =>
      (verdicts.length === 0 || verdicts.includes(finding.verdict)) &&
      (filter('area') === '' || finding.area === filter('area')) &&
      has(finding.subject, filter('clause')) &&
      (text === '' || hasText(finding)),
  )
})

export const shownExchanges = computed((): readonly RecordedExchange[] => {
  const [status, scenario, text] = [filter('status'), filter('scenario'), filter('text')]
  const classOf = ({ response }: RecordedExchange): string =>
    response === null ? 'none' : `${Math.floor(response.status / 100)}xx`
  return (run.value?.exchanges ?? []).filter(
    (exchange) =>
      (status === '' || classOf(exchange) === status) &&
      has(exchange.scenario, scenario) &&
      (text === '' || has(exchangeText(exchange), text)),
  )
})
