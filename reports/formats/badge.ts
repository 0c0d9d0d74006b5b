/** A badge of a run: what it found, for the top of a README. Other badges are made of the same parts. */
import type { Run } from '../bundle/record.ts'
import { html, type Markup } from '../html/elements/escape.ts'
import { answerOf } from '../run/scope.ts'
import { clauseRows } from '../verdicts/clause-verdicts.ts'
import { coverageOf } from '../verdicts/coverage.ts'
import type { Exporter } from './exporter.ts'

export type BadgeTone = 'good' | 'doubt' | 'bad' | 'quiet'

export interface Badge {
  readonly label: string
  readonly message: string
  readonly tone: BadgeTone
}

/** Names that shields.io knows, and colours on which white text has a contrast of at least 4.5. */
const colours: Readonly<Record<BadgeTone, { readonly name: string; readonly hex: string }>> = {
  good: { name: 'brightgreen', hex: '#1a7f37' },
  doubt: { name: 'yellow', hex: '#8a6100' },
  bad: { name: 'red', hex: '#b42318' },
  quiet: { name: 'lightgrey', hex: '#57606a' },
}

/** The answer on conformance with its MUST clauses; of a shard, only that it is one, and of a simulator run that, too. */
export function runBadge(run: Run): Badge {
  const { conformance, contract, plan, target } = run.record
  const label = `contract ${contract.revision}${contract.definition === undefined ? '' : ' (unpublished)'}`
  if (plan.shard) return { label, message: `shard ${plan.shard.number} of ${plan.shard.of}`, tone: 'quiet' }
  const { counts, all } = coverageOf(clauseRows(run))
  const { word, tone } = answerOf(run.record)
  const clauses =
    conformance === 'nonconformant'
      ? `${counts.failed} of ${all} MUST clauses failed`
      : `${counts.passed} of ${all} MUST clauses passed`
  const simulated = target.kind === 'simulator' ? ' (simulator)' : ''
  return { label, message: `${word}: ${clauses}${simulated}`, tone }
}

/** What an endpoint badge of shields.io reads. */
export function badgeJson({ label, message, tone }: Badge): string {
  return `${JSON.stringify({ schemaVersion: 1, label, message, color: colours[tone].name }, null, 2)}\n`
}

const characterWidth = 6.6
const padding = 7
const widthOf = (text: string): number => Math.round(text.length * characterWidth) + 2 * padding

/** The same as a picture, which needs neither a font nor another host. */
export function badgeSvg({ label, message, tone }: Badge): string {
  const [left, right] = [widthOf(label), widthOf(message)]
  const name = `${label}: ${message}`
  const text = (words: string, from: number, width: number): Markup =>
    html`<text x="${from + width / 2}" y="14" textLength="${width - 2 * padding}">${words}</text>`
  const { markup } = html`<svg
    xmlns="http://www.w3.org/2000/svg"
    width="${left + right}"
    height="20"
    role="img"
    aria-label="${name}"
  >
    <title>${name}</title>
    <path fill="#333" d="M3 0h${left - 3}v20h-${left - 3}a3 3 0 0 1-3-3v-14a3 3 0 0 1 3-3z" />
    <path
      fill="${colours[tone].hex}"
      d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${right - 3}z"
    />
    <g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
      ${text(label, 0, left)} ${text(message, left, right)}
    </g>
  </svg>`
  return `${markup}
`
}

export const jsonBadge: Exporter = {
  name: 'badge',
  file: 'badge.json',
  render: (run) => badgeJson(runBadge(run)),
}

export const pictureBadge: Exporter = {
  name: 'badge-svg',
  file: 'badge.svg',
  render: (run) => badgeSvg(runBadge(run)),
}
