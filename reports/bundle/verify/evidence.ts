/** Whether every finding rests on exchanges that the journal has. */
import type { OpenedBundle } from './opened-bundle.ts'
import { countOf, incomplete, judged, notChecked, type InspectionLine } from './line.ts'

export function inspectEvidence({ record, chain, cutOff }: OpenedBundle): InspectionLine {
  if (cutOff) return incomplete('no findings were written')
  if (record === null || chain === null) return notChecked('not checked: there is no record, or no journal')
  const { findings } = record
  const named = findings.filter(({ evidence }) => evidence.length > 0)
  const problems = findings.flatMap(({ check, scenario, evidence }) =>
    evidence.flatMap((id) => {
      const shown = chain.exchanges.get(id)
      if (shown === undefined) return [`${check}: exchange ${id} is not in the journal`]
      // A rule rests on what other scenarios sent.
      return shown.scenario === scenario || scenario.startsWith('rules/')
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
