/** Whether the journal is the whole of what was sent and came, from the plan to its end. */
import { isDeepStrictEqual } from 'node:util'
import { partsOf, type PlanFile, type RunRecord } from '../record.ts'
import { sha256 } from '../seal/digest.ts'
import { attemptId, type ReadChain } from './chain.ts'
import type { OpenedBundle } from './opened-bundle.ts'
import { notVerified, countOf, incomplete, judged, notChecked, type InspectionLine } from './schema.ts'

export function inspectJournal(bundle: OpenedBundle): InspectionLine {
  const { chain, record } = bundle
  if (chain === null)
    return bundle.cutOff && !bundle.has('journal.ndjson')
      ? incomplete('the run was cut off before its first line')
      : notVerified('journal.ndjson cannot be read')
  const problems = [
    ...chain.problems,
    ...(chain.lines === 0 && bundle.cutOff ? [] : beginning(chain, bundle)),
    ...[...chain.evidence].flatMap(([digest, size]) => {
      const file = `evidence/${digest}`
      const found = bundle.digest(file)
      if (found === null) return [`${file}: is not there or cannot be read`]
      const same = found.sha256 === digest && found.size === size
      return same ? [] : [`${file}: its bytes are not those that the journal names`]
    }),
    ...(record === null ? [] : ending(chain, record)),
  ]
  if (problems.length > 0) return notVerified('the journal was changed', problems)
  const words = `hash chain intact: ${countOf(chain.lines, 'line')}, ${countOf(chain.exchanges.size, 'exchange')}`
  if (record?.run.lifecycle === 'crashed') return incomplete(`${words}; the run was cut off there`)
  if (record !== null || (chain.end !== null && chain.torn === 0))
    return { outcome: 'holds', words, problems: [] }
  const torn = chain.torn > 0 ? `, in line ${chain.lines + 1}` : ''
  return incomplete(`${words}; it was cut off there${torn}`)
}

/** Line 0 hangs on the plan, and says again whose run it is. */
function beginning({ opening }: ReadChain, { bytes, json }: OpenedBundle): readonly string[] {
  if (opening === null) return ['line 1 does not say which run it is of']
  const [plan, reading] = [bytes('plan.json'), json('plan.json')]
  if (plan === null) return []
  if (opening.prev !== sha256(plan)) return ['line 1 is not chained to plan.json: one of them was altered']
  const { opening: known } = partsOf((reading.ok ? reading.value : {}) as unknown as PlanFile)
  return isDeepStrictEqual(opening.opening, known) ? [] : ['line 1 is of another run than plan.json']
}

function ending(chain: ReadChain, record: RunRecord): readonly string[] {
  const { journal, scenarioRuns: scenarios, run } = record
  const { lines, head, torn, end } = chain
  if (journal === undefined) return ['run.json does not say where it ends']
  return [
    ...(torn === 0 ? [] : [`line ${lines + 1} is cut off`]),
    ...(lines === journal.lines ? [] : [`it has ${lines} lines, and run.json says ${journal.lines}`]),
    ...(head === journal.head ? [] : ['its last line is not the one that run.json names']),
    ...(run.lifecycle === 'crashed' ? [] : endProblems(end, chain, run)),
    ...scenarios
      .filter((one) => !isDeepStrictEqual(chain.scenarios.get(attemptId(one.scenario, one.since)), one))
      .map(({ scenario }) => `run.json records the scenario ${scenario} differently`),
    ...(scenarios.length === chain.scenarios.size
      ? []
      : ['run.json does not list the scenarios of the journal']),
  ]
}

function endProblems(
  end: ReadChain['end'],
  { exchanges }: ReadChain,
  run: RunRecord['run'],
): readonly string[] {
  if (end === null) return ['it has no end']
  return [
    ...(end['exchanges'] === exchanges.size
      ? []
      : [`it has ${exchanges.size} exchanges, and its end says ${String(end['exchanges'])}`]),
    ...(end['endedAt'] === run.endedAt && end['lifecycle'] === run.lifecycle
      ? []
      : ['run.json records the end of the run differently']),
  ]
}

/** Whether every finding rests on exchanges that the journal has. */
export function inspectEvidence({ record, chain, cutOff }: OpenedBundle): InspectionLine {
  if (cutOff) return incomplete('no findings were written')
  if (record === null || chain === null) return notChecked('not checked: there is no record, or no journal')
  const { findings } = record
  const named = findings.filter(({ evidence }) => evidence.length > 0)
  const problems = findings.flatMap(({ check, scenario, evidence }) =>
    evidence.flatMap((id) => {
      const shown = chain.exchanges.get(id)
      if (shown === undefined) return [`${check}: exchange ${id} is not in the journal`]
      // A rule rests on what other scenarios sent, as does what comes last of a receiver.
      return shown.scenario === scenario || /^(?:rules|traffic)\/|^receiver-genuine\/stands$/.test(scenario)
        ? []
        : [`${check}: exchange ${id} is of another scenario`]
    }),
  )
  return judged(
    problems,
    `${named.length} of ${countOf(findings.length, 'finding')} cite exchanges, each found in the journal, in the right scenario`,
    'findings cite exchanges that the journal does not have',
  )
}
