/** The numbers that both answers have to be read with. */
import type { Finding, Run } from '../../bundle/record.ts'
import type { ClauseRow } from '../../verdicts/clause-verdicts.ts'
import type { Comparison } from '../../diff/compare.ts'
import { kindWords, type Weight } from '../../diff/kinds.ts'
import { sourceLine } from '../../run/origin-words.ts'
import { planKept } from '../../run/plan-kept.ts'
import { daysLeft } from '../../verdicts/standing.ts'
import type { Tone } from '../../verdicts/verdicts.ts'
import { shorten } from '../../visible.ts'
import { html, noMarkup } from '../elements/escape.ts'
import type { Hole, Markup } from '../elements/escape.ts'
import { waivedOf } from './waivers.ts'
import { counted, signed } from '../elements/words.ts'

interface Fact {
  name: string
  value: string
  /** `good` where there is nothing to look at. */
  tone: Tone
  /** Where it is reported. */
  at: string
  detail?: Hole
}

const signs: Readonly<Record<Tone, string>> = { good: '✓', bad: '✗', doubt: '–', quiet: '·' }

function fact({ name, value, tone, at, detail }: Fact): Markup {
  const words = signed(signs[tone], value, tone)
  return html`<div>
    <dt>${name}</dt>
    <dd><a href="#${at}">${words}</a></dd>
    ${detail === undefined ? noMarkup : html`<dd class="soft">${detail}</dd>`}
  </div> `
}

export interface Known {
  clauses: readonly ClauseRow[]
  together: readonly Finding[]
  changes: Comparison | undefined
}

export function facts(run: Run, { together, changes }: Known): readonly Markup[] {
  return [failed(together), plan(run), changed(changes), waived(run), startedBy(run), signature(run)].map(
    fact,
  )
}

function failed(rows: readonly Finding[]): Fact {
  const of = (wanted: Finding['verdict']) => rows.filter(({ verdict }) => verdict === wanted).length
  const [failures, errors, warnings] = [of('fail'), of('error'), of('warn')]
  const count = failures + errors
  const beside = [
    ...(errors > 0 ? [`including ${counted(errors, 'error')} of Touchstone`] : []),
    ...(warnings > 0 ? [`and ${counted(warnings, 'warning')}`] : []),
  ]
  return {
    name: 'Failed checks',
    value: count === 0 ? 'none' : String(count),
    tone: count > 0 ? 'bad' : 'good',
    at: 'failures',
    ...(beside.length > 0 ? { detail: beside.join(', ') } : {}),
  }
}

function plan(run: Run): Fact {
  const { tone, count, of } = planKept(run)
  return { name: 'Plan', at: 'identity', value: count, tone, detail: of }
}

function waived({ record }: Run): Fact {
  const rows = waivedOf(record.findings)
  const [next] = rows.map(({ waived: { expires } }) => expires).toSorted()
  if (next === undefined) return { name: 'Waivers', value: 'none', tone: 'quiet', at: 'waivers' }
  const detail = `next expires ${next}, ${daysLeft(next, record.run.endedAt)}`
  return { name: 'Waivers', value: String(rows.length), tone: 'doubt', at: 'waivers', detail }
}

function changed(changes: Comparison | undefined): Fact {
  const about = { name: 'Since the last run', at: 'changes' }
  if (!changes) return { ...about, value: 'not compared', tone: 'quiet' }
  if (changes.obstacle !== null) return { ...about, value: 'not comparable', tone: 'doubt' }
  const [worse, less] = [weighing(changes, 'worse'), weighing(changes, 'less')]
  if (worse > 0) return { ...about, value: `${worse} worse`, tone: 'bad' }
  if (less > 0) return { ...about, value: `${less} not tested now`, tone: 'doubt' }
  return { ...about, value: 'nothing worse', tone: 'good' }
}

function weighing({ changes }: Comparison, weight: Weight): number {
  return changes.filter(({ kind, spared }) => !spared && kindWords[kind].weight === weight).length
}

function startedBy({ record }: Run): Fact {
  const { origin } = record.run
  const about = { name: 'Started by', tone: 'quiet', at: 'origin' } as const
  if (origin === undefined) return { ...about, value: 'not recorded' }
  const { actor, ci, host, job } = origin
  const detail = [ci, job ?? host, sourceLine(record)].filter(Boolean).join('; ')
  return { ...about, value: shorten(actor ?? ci ?? 'not recorded', 40), detail: shorten(detail, 160) }
}

function signature({ record: { signing } }: Run): Fact {
  if (!signing) return { name: 'Signature', value: 'unsigned', tone: 'quiet', at: 'verify' }
  return {
    name: 'Signature',
    value: `key ${signing.keyid.slice(0, 8)}`,
    tone: 'quiet',
    at: 'verify',
    detail: html`check it with <code>touchstone verify</code>`,
  }
}
