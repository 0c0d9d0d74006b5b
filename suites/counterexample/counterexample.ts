/** The files of the counterexamples of a run, one for every check that failed or warned. Pure. */
import { clauses, clauseText, identifiersIn, ownText, type ClauseId } from '../../spec/index.ts'
import { clauseSetOf } from '../policy/clause-set-file.ts'
import { exploredOf } from '../models/sequences.ts'
import { type Attempt, attemptsByScenario } from '../runner/outcome/attempts.ts'
import type { Scenarios } from '../runner/plan/plan.ts'
import type { Finding, Run } from '../../bundle/record.ts'
import type { Target } from '../config/target.ts'
import type { Exchange } from '../wire/exchange.ts'
import { scriptOf, type Counterexample } from './script.ts'
import { agentsOf, writeSteps } from './steps.ts'
import { counterexampleFolder, journalFile, type counterexampleFiles } from '../../bundle/names.ts'
import { writeJournal } from '../../bundle/journal/codec.ts'
import { evidenceFolder } from '../../bundle/journal/evidence.ts'
import { simulatorUrl, simulateAgain } from '../../bundle/curl.ts'

export interface Origin {
  target: Target
  scenarios: Scenarios
}

function foundOf(finding: Finding, run: Run, { target, scenarios }: Origin) {
  // A rule judges what another scenario sent.
  const isRule = scenarios[finding.scenario]?.rule === true
  const shown = run.journal.find(({ id }) => id === finding.evidence[0])
  const sender = (isRule ? shown?.scenario : undefined) ?? finding.scenario
  const scenario = scenarios[sender]
  const made = attemptsByScenario(run.record.scenarioRuns).get(sender) ?? []
  const attempt = made.find(({ has }) => shown !== undefined && has(shown)) ?? made[0]
  if (!scenario || !attempt) return null
  const exchanges = courseOf(finding, attempt, run.journal)
  if (exchanges.length === 0) return null
  const sent = exchanges.filter(({ inbound }) => !inbound)
  const steps = writeSteps({
    exchanges: sent,
    dialect: target.dialect,
    agentOf: agentsOf(sender, scenario, target),
  })
  const { check, subject, expected = '', got = '', states } = finding
  const { contract, target: service } = run.record
  const clause = subject as ClauseId
  const counterexample: Counterexample = {
    check,
    clause: {
      id: subject,
      level: clauseSetOf(contract)[clause] ?? clauses[clause].level,
      text: ownText(contract, clause) ?? clauseText(clause, identifiersIn(service)),
    },
    expected,
    got,
    needs: { states, receiver: scenario.needs?.receiver === true },
    steps,
  }
  return { counterexample, exchanges }
}

/** All of a scenario; of one that drew many courses, the one that the finding rests on. */
function courseOf(
  { evidence }: Finding,
  { run: { notes }, has }: Attempt,
  journal: readonly Exchange[],
): readonly Exchange[] {
  const own = journal.filter(has)
  if (exploredOf(notes) === null || evidence.length === 0) return own
  const [from, to] = [Math.min(...evidence), Math.max(...evidence)]
  return own.filter(({ id }) => id >= from && id <= to)
}

/** A target that breaks more than this is seen to be broken without more of them. */
const most = 200

/**
 * By path below one folder: the script and the exchanges of each counterexample, the worst first. `run` must be without
 * secrets. A finding without exchanges to show has none.
 */
export function counterexampleFilesOf(run: Run, origin: Origin): ReadonlyMap<string, string> {
  const { findings, target } = run.record
  // What the script uses where nothing else is set. A simulator is gone after the run; one like it can be started.
  const start = simulateAgain(run.record)
  const defaults = {
    BASE_URL: start === null ? target.baseUrl : simulatorUrl,
    AGENT_ID: origin.target.agents.plain,
    ...(target.keys && { keys: target.keys }),
    ...(start === null ? {} : { start }),
  }
  const files = ['fail', 'warn'].flatMap((wanted) =>
    findings.flatMap((finding) => {
      const found = finding.verdict === wanted ? foundOf(finding, run, origin) : null
      if (found === null) return []
      const contents = {
        'repro.sh': scriptOf(found.counterexample, defaults),
        'exchanges.ndjson': writeJournal(found.exchanges.map(shortened)),
      } satisfies Record<(typeof counterexampleFiles)[number], string>
      const folder = counterexampleFolder(finding.check)
      return [Object.entries(contents).map(([name, content]) => [`${folder}/${name}`, content] as const)]
    }),
  )
  return new Map(files.slice(0, most).flat())
}

/** Bytes of a response that are repeated beside a counterexample; the journal of the run has all. */
const mostOfBody = 16_384

function shortened(exchange: Exchange): Exchange {
  const { response } = exchange
  const chunks = response?.chunks ?? []
  const length = chunks.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (response === null || length <= mostOfBody) return exchange
  let left = mostOfBody
  const first = chunks.flatMap(({ at, bytes }) => {
    const part = bytes.subarray(0, left)
    left -= part.length
    return part.length > 0 ? [{ at, bytes: part }] : []
  })
  const note = `…, ${length} bytes in ${evidenceFolder}/ and ${journalFile}`
  const last = { at: response.at, bytes: new TextEncoder().encode(note) }
  return { ...exchange, response: { ...response, chunks: [...first, last] } }
}
