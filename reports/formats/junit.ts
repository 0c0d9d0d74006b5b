/**
 * JUnit XML for CI systems, within what the Jenkins schema allows. One suite per area, one test case per
 * check: `classname` is the clause, `name` the check with the sentence of the clause. Their tests and failures agree with
 * the closing line of the summary; `skipped` also has what that line counts as waived, not applicable and observed. The
 * suite `gate` has one case more: systems that read this file alone show red where the gate is.
 */
import type { Finding, Run } from '../../bundle/record.ts'
import { cardText, messageOf } from '../findings/card.ts'
import { earlyEndLine, scopeTexts } from '../run/scope.ts'
import { subjectOf, tookSeconds } from '../run/words.ts'
import { rowsOf } from '../verdicts/clauses.ts'
import { byArea, outcomes, reportedOutcomeOf } from '../verdicts/verdicts.ts'
import type { Beside, Exporter } from './exporter.ts'

export const junit: Exporter = { name: 'junit', file: 'junit.xml', render }

function render(run: Run, beside?: Beside): string {
  const { record } = run
  // CI systems drop all but one of several cases with one name.
  const findings = rowsOf(run)
  const seen = new Map<string, number>()
  const rows = findings.map((finding) => {
    const times = (seen.get(finding.check) ?? 0) + 1
    seen.set(finding.check, times)
    return times === 1 ? finding : { ...finding, check: `${finding.check} (${times})` }
  })
  const counts = count(rows)
  const head = attributes({
    name: `Touchstone: ${record.target.name}`,
    tests: rows.length + 1,
    failures: counts.failures + Number(record.exitCode !== 0),
    errors: counts.errors,
    time: tookSeconds(record).toFixed(3),
  })
  const context = { run, early: earlyEndLine(run, beside?.ends), scope: scopeTexts(record) }
  const suites = [...byArea(rows)].map(([area, findings]) => suite(area, findings, context))
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${head}>\n${gateSuite(record)}${suites.join('')}</testsuites>\n`
}

const timestampOf = ({ startedAt }: Run['record']['run']): string => startedAt.replace(/(\.\d+)?Z$/, '')

interface SuiteContext {
  run: Run
  early: string | null
  scope: readonly string[]
}

function suite(area: string, findings: readonly Finding[], context: SuiteContext): string {
  const { run, early, scope } = context
  const head = attributes({
    name: area,
    tests: findings.length,
    ...count(findings),
    timestamp: timestampOf(run.record.run),
  })
  const cases = findings.map((finding) => testCase(finding, run)).join('')
  const err = early === null ? '' : `    <system-err>${text(early)}</system-err>\n`
  return `  <testsuite${head}>\n${properties(scope)}${cases}${err}  </testsuite>\n`
}

function gateSuite({ gate: { because, stalePolicy }, exitCode, run }: Run['record']): string {
  const reasons = [...new Set([...because, ...stalePolicy])]
  const message = `exit code ${exitCode}: ${reasons.join('; ')}`
  const failure = exitCode === 0 ? '' : element('failure', message, 'gate', `\n${reasons.join('\n')}\n`)
  const counts = { tests: 1, failures: Number(exitCode !== 0), errors: 0, skipped: 0 }
  const head = attributes({ name: 'gate', ...counts, timestamp: timestampOf(run) })
  const testCase = `    <testcase${attributes({ classname: 'gate', name: 'the run passes its policy' })}>${failure}</testcase>\n`
  return `  <testsuite${head}>\n${testCase}  </testsuite>\n`
}

function properties(scope: readonly string[]): string {
  if (scope.length === 0) return ''
  const lines = scope.map((value) => `      <property${attributes({ name: 'scope', value })}/>\n`)
  return `    <properties>\n${lines.join('')}    </properties>\n`
}

function count(findings: readonly Finding[]) {
  const errors = findings.filter(
    (one) => one.verdict === 'error' && reportedOutcomeOf(one) === 'failed',
  ).length
  const { failed, skipped } = outcomes(findings)
  return { failures: failed - errors, errors, skipped }
}

function testCase(finding: Finding, run: Run): string {
  const { subject, check } = finding
  const about = subjectOf(subject, run.record).text
  const head = attributes({ classname: subject, name: `${check}: ${about}` })
  const inside = content(finding, run)
  return inside ? `    <testcase${head}>${inside}</testcase>\n` : `    <testcase${head}/>\n`
}

function content(finding: Finding, run: Run): string {
  const words = messageOf(finding)
  // Lines of their own between the tags.
  const body = (): string => `\n${cardText(finding, run)}`
  if (reportedOutcomeOf(finding) === 'skipped') return element('skipped', words, undefined, words)
  if (finding.verdict === 'error') return element('error', words, 'error', body())
  if (finding.verdict === 'fail') return element('failure', words, finding.level, body())
  return finding.verdict === 'warn' ? `<system-out>${text(words + body())}</system-out>` : ''
}

function element(name: string, message: string, type: string | undefined, body: string): string {
  return `<${name}${attributes({ message, type })}>${text(body)}</${name}>`
}

function attributes(values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  return given.map(([name, value]) => ` ${name}="${text(String(value), /[&<>"\n\r\t]/g)}"`).join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
}

// XML 1.0 has no way to write these, not even as a character reference.
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|\p{Surrogate}/gu

function text(value: string, special = /[&<>\r]/g): string {
  return value.replace(unwritable, '\ufffd').replace(special, (character) => entities[character] ?? character)
}
