/** One check: its clause, what was expected and received, its evidence, and how to see it again. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { counterexampleFolder, curlOf } from '../../../reports/bundle/curl.ts'
import type { Exchange, Finding, RunRecord } from '../../../reports/bundle/record.ts'
import { checkAgain, replayAgain } from '../../../reports/findings/check-again.ts'
import { evidenceOf } from '../../../reports/findings/evidence.ts'
import { subjectOf } from '../../../reports/run/subject.ts'
import { reasons } from '../../../reports/verdicts/reasons.ts'
import { standingOf } from '../../../reports/verdicts/standing.ts'
import { visible, visibleLine } from '../../../reports/visible.ts'
import type { CheckDetail, Command, Evidence, Fact } from '../../../spec/types/show.ts'
import type { JournalIndex } from '../journal-index.ts'
import type { NamedRun } from '../named-runs.ts'
import type { OpenedRuns } from '../opened-runs.ts'
import { checkItem } from './checks.ts'
import { othersIn } from './others.ts'
import { faultsOf } from './proof.ts'
import { shownFacts } from './words.ts'

const mostEvidence = 60

/** Null where the run has no such check. */
export async function checkDetail(
  runs: OpenedRuns,
  run: NamedRun,
  check: string,
): Promise<CheckDetail | null> {
  const { record, findings } = runs.record(run)
  const finding = findings.find((one) => one.check === check)
  if (!finding) return null
  const journal = await runs.journal(run)
  const { text, words } = subjectOf(finding.subject, record)
  const { expected, got, detail, reason } = finding
  const { shown, rest } = evidenceOf(finding, mostEvidence)
  return {
    item: checkItem(finding, othersIn(runs, run)),
    text,
    source: words,
    basis: finding.basis,
    ...(expected === undefined ? {} : { expected: visible(expected) }),
    ...(got === undefined ? {} : { got: visible(got) }),
    ...(detail === undefined ? {} : { detail: visible(detail) }),
    ...(reason === undefined ? {} : { reason: reasons[reason].says, provide: reasons[reason].provide }),
    facts: findingFacts(finding, record),
    evidence: shown.flatMap((one) => evidenceItem(one, shown.length, journal)),
    more: rest,
    commands: await commandsOf(finding, record, { path: run.path, journal }),
    faults: faultsOf(check),
  }
}

function evidenceItem(
  { id, as, decisive }: ReturnType<typeof evidenceOf>['shown'][number],
  count: number,
  { items }: JournalIndex,
): Evidence[] {
  const exchange = items.find((one) => one.id === id)
  if (!exchange) return []
  return [{ exchange, role: visibleLine(as ?? exchange.name), decisive: decisive || count === 1 }]
}

function findingFacts(finding: Finding, { target }: RunRecord): Fact[] {
  return shownFacts({
    states: finding.states.map(({ state, by }) => `${state} by ${by}`).join(', '),
    policy: standingOf(finding),
    'the client': target.kind === 'client' ? target.client?.as : undefined,
  })
}

interface Place {
  path: string
  journal: JournalIndex
}

async function commandsOf(finding: Finding, record: RunRecord, { path, journal }: Place): Promise<Command[]> {
  const file = `${counterexampleFolder(finding.check)}/replay.json`
  const replay = existsSync(join(path, file)) ? replayAgain(join(path, file), record.target) : undefined
  const again = record.target.kind === 'receiver' ? undefined : checkAgain(finding.check, record)
  const failed = finding.verdict === 'fail' || finding.verdict === 'warn'
  const shows = failed ? await exchangeOrNull(journal, finding.evidence[0]) : null
  const curl = shows && !shows.inbound ? curlOf(shows, record.target) : undefined
  return Object.entries({
    'Replay the smallest sequence that fails': replay,
    'Run this check again': again,
    'Send the request that shows it': curl,
  }).flatMap(([what, command]) => (command === undefined ? [] : [{ what, command }]))
}

/** An altered exchange leaves the rest of a check readable. */
async function exchangeOrNull(journal: JournalIndex, id = 0): Promise<Exchange | null> {
  try {
    return await journal.exchange(id)
  } catch {
    return null
  }
}
