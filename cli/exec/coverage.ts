/** What the requests to a simulator met of all that a client has to handle, and what its client did wrong. */
import type { EndedJournal } from '../../simulator/vitest/journals.ts'
import { redactKeys } from '../../simulator/tenant/redacted.ts'
import { matchesPattern } from '../../suites/policy/expected.ts'
import { judgeScenario } from '../../suites/runner/outcome/judge.ts'
import { statusOf } from '../../suites/assertions/answer.ts'
import { causeWords, coverageRows, type CoverageRow } from '../../suites/traffic/coverage.ts'
import { trafficScenarios } from '../../suites/traffic/rules.ts'
import { createPrincipals, trafficScenario } from '../../suites/traffic/service.ts'
import { identified, type Exchange } from '../../suites/wire/exchange.ts'
import { wrap } from '../../reports/visible.ts'
import { exchangeOf } from '../client/services.ts'
import { hint } from '../nearest.ts'
import { writeOut } from '../out-file.ts'
import { UsageError } from '../usage-error.ts'

interface Violation {
  clause: string
  verdict: 'fail' | 'warn'
  expected: string
  got: string
  request: string
  /** Journals with it: of tenants, each up to a reset. */
  times: number
}

const mostViolations = 100
const mostPrinted = 10

const clientRules = Object.entries(trafficScenarios).filter(([id]) => id.startsWith('traffic/client-'))
const ids = coverageRows.map(({ id }) => id)
const families = [...new Set(ids.map((id) => id.replace(/\..*/, '.*')))]

/** Throws a UsageError for a pattern that matches no row. */
export function requiredRows(patterns: readonly string[]): readonly CoverageRow[] {
  for (const pattern of patterns)
    if (!ids.some((id) => matchesPattern(pattern, id)))
      throw new UsageError(
        `required ${pattern}: nothing has this name${hint(pattern, [...ids, ...families])}; docs/coverage.md lists the names.`,
      )
  return coverageRows.filter(({ id }) => patterns.some((pattern) => matchesPattern(pattern, id)))
}

export type ClientCoverage = ReturnType<typeof createCoverage>

export function createCoverage() {
  const times = new Map<string, number>()
  const violations = new Map<string, Violation>()
  const totals = { requests: 0, evicted: 0 }
  return {
    totals,
    violations: (): readonly Violation[] => [...violations.values()],
    timesOf: ({ id }: CoverageRow): number => times.get(id) ?? 0,
    read({ entries, dropped, identifiers }: EndedJournal): void {
      totals.evicted += dropped
      const principals = createPrincipals()
      // Times count from the first of them, on the clock of the tenant.
      const began = entries.reduce((least, { at }) => Math.min(least, at), Infinity)
      const last = entries.reduce((most, { at, endedAt = at }) => Math.max(most, endedAt), began)
      const exchanges = entries.map((entry, at) => {
        const about = { scenario: trafficScenario, name: `${entry.method} ${entry.path}`, id: at + 1 }
        const one = identified(exchangeOf(entry, { ...about, began, now: last - began }), identifiers)
        return { ...one, request: { ...one.request, principal: principals.of(one) } }
      })
      totals.requests += exchanges.length
      for (const { id, holds } of coverageRows) {
        const met = exchanges.filter(holds).length
        if (met > 0) times.set(id, (times.get(id) ?? 0) + met)
      }
      for (const one of violationsIn(exchanges)) {
        const name = `${one.clause} ${one.expected} ${one.got}`
        const known = violations.get(name)
        if (known) known.times++
        else if (violations.size < mostViolations) violations.set(name, one)
      }
    },
  }
}

function violationsIn(exchanges: readonly Exchange[]): readonly Violation[] {
  if (exchanges.length === 0) return []
  const nothing = { notes: {}, ending: null, crash: null, states: [], stuck: [] }
  const findings = clientRules.flatMap(([id, rule]) =>
    judgeScenario(id, rule, { scenario: trafficScenario, exchanges, ...nothing }, {}),
  )
  return findings.flatMap(({ subject, verdict, expected = '', got = '', evidence }): readonly Violation[] => {
    if (verdict !== 'fail' && verdict !== 'warn') return []
    const request = requestWords(exchanges.find(({ id }) => id === evidence[0]))
    return [{ clause: subject, verdict, expected, got, request, times: 1 }]
  })
}

function requestWords(one: Exchange | undefined): string {
  if (!one) return 'several requests'
  const { method, path, headers } = one.request
  const key = headers.find(([name]) => /^(?:x-)?idempotency-key$/i.test(name))?.[1]
  const words = [`${method} ${path}`, ...(key === undefined ? [] : [`key ${key}`])]
  return redactKeys(`${words.join(', ')}, ${one.response ? `status ${statusOf(one)}` : 'no response'}`)
}

export function coverageReport(coverage: ClientCoverage, required: readonly CoverageRow[]) {
  return {
    format: 'touchstone-coverage/1',
    ...coverage.totals,
    rows: coverageRows.map((row) => ({
      id: row.id,
      meaning: row.meaning,
      times: coverage.timesOf(row),
      cause: row.cause,
    })),
    missing: required.filter((row) => coverage.timesOf(row) === 0).map(({ id }) => id),
    violations: coverage.violations(),
  }
}

interface Printed {
  required: readonly CoverageRow[]
  file: string | undefined
  print: (text: string) => unknown
  width: number
}

/** Prints and writes what was met; whether all of that was required. */
export function concludeCoverage(coverage: ClientCoverage, printed: Printed): boolean {
  const { required, file, print, width } = printed
  const report = coverageReport(coverage, required)
  print(coverageText(coverage, required, width))
  if (file !== undefined) writeOut(file, `${JSON.stringify(report, null, 2)}\n`, 'coverage file')
  return report.missing.length === 0
}

/** A line for each family: what was met and how often, and what not, by its causes. */
export function coverageText(
  coverage: ClientCoverage,
  required: readonly CoverageRow[],
  width: number,
): string {
  const { requests, evicted } = coverage.totals
  const lines: string[] = []
  if (requests > 0) {
    const met = coverageRows.filter((row) => coverage.timesOf(row) > 0).length
    lines.push(
      `Coverage: ${met} of ${coverageRows.length} met; requests: ${requests}. In parentheses: the situation or network fault to test with.`,
    )
    const families = Map.groupBy(coverageRows, ({ id }) => id.slice(0, id.indexOf('.')))
    for (const [family, rows] of families) lines.push(...indented(familyLine(family, rows, coverage), width))
  }
  if (evicted > 0) lines.push(`Requests not counted, as the journal of their tenant was full: ${evicted}.`)
  lines.push(...violationLines(coverage.violations()).flatMap((line) => indented(line, width)))
  const missing = required.filter((row) => coverage.timesOf(row) === 0)
  if (missing.length > 0) lines.push(...indented(`Required, and not met: ${byCause(missing)}`, width))
  return lines.map((line) => `${line}\n`).join('')
}

const indented = (line: string, width: number): readonly string[] =>
  wrap(line, width - 4).map((part, at) => (at === 0 ? part : `    ${part}`))

const nameOf = ({ id }: CoverageRow): string => id.slice(id.indexOf('.') + 1)

function familyLine(family: string, rows: readonly CoverageRow[], coverage: ClientCoverage): string {
  const [met, unmet] = [true, false].map((is) => rows.filter((row) => coverage.timesOf(row) > 0 === is))
  const counts = met?.map((row) => `${nameOf(row)} ${coverage.timesOf(row)}`).join(', ')
  const rest = unmet?.length ? `not met: ${byCause(unmet, nameOf)}` : ''
  return `  ${family}: ${[counts, rest].filter(Boolean).join('; ')}`
}

function byCause(rows: readonly CoverageRow[], named = ({ id }: CoverageRow): string => id): string {
  const causes = Map.groupBy(rows, ({ cause }) => causeWords(cause))
  return [...causes].map(([cause, of]) => `${of.map(named).join(', ')} (${cause})`).join(', ')
}

function violationLines(violations: readonly Violation[]): readonly string[] {
  const shown = violations.slice(0, mostPrinted).map(({ clause, verdict, expected, got, request, times }) => {
    const often = times > 1 ? ` (and in ${times - 1} more journals)` : ''
    return `${verdict === 'fail' ? '✗' : '!'} ${clause}: expected ${expected}, got ${got}: ${request}${often}`
  })
  const left = violations.length - shown.length
  return left > 0 ? [...shown, `${left} more in the file of --coverage`] : shown
}
