/** Lines that GitHub Actions shows beside a run. Few: it shows ten of a step and drops the rest without a word. */
import type { Finding, Run } from '../../bundle/record.ts'
import { messageOf } from '../findings/card.ts'
import { alike } from '../findings/causes.ts'
import { rowsOf } from '../verdicts/clauses.ts'
import { shorten, visible } from '../visible.ts'

const most = 10
const kinds = { fail: 'error', error: 'error', warn: 'warning' } as const
type Kind = keyof typeof kinds

/** Lines for standard output, where GitHub Actions looks for them; empty where there is nothing to say. */
export function annotations(run: Run): string {
  const said = rowsOf(run).filter(isSaid)
  const loudest = alike(said).toSorted((one, other) => rank(one.finding) - rank(other.finding))
  const shown = loudest.slice(0, loudest.length > most ? most - 1 : most)
  const rest = loudest.length - shown.length
  const lines = shown.map(({ finding }) => {
    const kind = kinds[finding.verdict as Kind]
    return `::${kind} title=${data(finding.subject).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${data(shorten(`${finding.check}: ${messageOf(finding)}`, 1_000))}`
  })
  if (rest > 0) lines.push(`::error title=Touchstone::${rest} more: see report.html`)
  return lines.map((one) => `${one}\n`).join('')
}

const isSaid = (finding: Finding): finding is Finding & { verdict: Kind } => finding.verdict in kinds
const rank = ({ verdict }: Finding): number => Object.keys(kinds).indexOf(verdict)

/** Only these end a command early; what else a target sent is made visible, as it is anywhere. */
function data(text: string): string {
  return visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
