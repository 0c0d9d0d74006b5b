/** A finding in the words of reports that have one message and one longer text for it. */
import { counterexampleFolder } from '../bundle/curl.ts'
import type { Exchange, Finding, Run } from '../bundle/record.ts'
import type { Beside } from '../formats/exporter.ts'
import { subjectOf } from '../run/words.ts'
import { reasons } from '../verdicts/reasons.ts'
import { standingOf, verdictWords } from '../verdicts/verdicts.ts'
import { checkAgain, replayAgain } from './check-again.ts'
import { clientSteps } from './client-steps.ts'
import { evidenceOf, summary } from './exchanges.ts'

/** One line: of a failure what was expected and got, of anything else its verdict with the reason. */
export function messageOf(finding: Finding): string {
  const { verdict, reason, detail } = finding
  const difference = `expected ${finding.expected ?? 'nothing recorded'}, got ${finding.got ?? 'nothing recorded'}`
  if (verdict === 'fail') return [standingOf(finding), difference].filter(Boolean).join(': ')
  const parts = [verdictWords[verdict].word, reason ? reasons[reason].says : '', detail ?? '']
  return parts.filter((part) => part !== '').join(': ')
}

export function scenariosOf(run: Run, beside?: Beside): (finding: Finding) => readonly string[] {
  const exchanges = new Map(run.journal.map((exchange) => [exchange.id, exchange]))
  return (finding) => scenarioOf(finding, { run, exchanges, beside })
}

interface From {
  run: Run
  exchanges: ReadonlyMap<number, Exchange>
  beside: Beside | undefined
}

const mostExchanges = 8

/** Clause, source, what was seen, a line each; then what was sent, and how to send it again. */
function scenarioOf(finding: Finding, { run, exchanges, beside }: From): readonly string[] {
  const { text, words } = subjectOf(finding.subject, run.record)
  const { title, expected, got, detail } = finding
  const again = `${counterexampleFolder(finding.check)}/replay.json`
  return [
    `${finding.subject} (${finding.level}): ${text}`,
    `contract: ${words}`,
    `scenario: ${title}`,
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...(got === undefined ? [] : [`got: ${got}`]),
    ...(detail === undefined ? [] : [`detail: ${detail}`]),
    ...clientSteps(finding, run).map((line) => `client: ${line}`),
    ...evidenceLines(finding, exchanges),
    ...(beside?.files.has(again) ? [`replay: ${replayAgain(again, run.record.target)}`] : []),
    ...(run.record.target.kind === 'client' ? [`replay: ${checkAgain(finding, run)}`] : []),
  ]
}

function evidenceLines(finding: Finding, exchanges: ReadonlyMap<number, Exchange>): readonly string[] {
  const { shown, rest } = evidenceOf(finding, mostExchanges)
  if (shown.length === 0) return []
  const lines = shown.map(({ id, as, decisive }) => {
    const exchange = exchanges.get(id)
    const mark = decisive ? ' <- evidence' : ''
    const role = as ?? exchange?.name
    return `  ${id}  ${role === undefined ? '' : `${role}: `}${exchange ? summary(exchange) : 'not in the journal'}${mark}`
  })
  return ['exchanges in journal.ndjson:', ...lines, ...(rest > 0 ? [`  and ${rest} more`] : [])]
}
