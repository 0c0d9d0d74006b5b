/** The numbers that both answers have to be read with. */
import type { Finding, Run } from '../../bundle/record.ts'
import { beyondChecks, undemonstrated, type ClauseRow } from '../../verdicts/clause-verdicts.ts'
import type { Comparison } from '../../diff/compare.ts'
import { kindWords, type Weight } from '../../diff/kinds.ts'
import { planKept } from '../../run/plan-kept.ts'
import type { Tone } from '../../verdicts/verdicts.ts'
import { html, noMarkup } from '../elements/escape.ts'
import type { Hole, Markup } from '../elements/escape.ts'
import { daysLeft, waivedOf } from './waivers.ts'
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

/** What the page has found out before. */
export interface Known {
  clauses: readonly ClauseRow[]
  together: readonly Finding[]
  changes: Comparison | undefined
}

export function facts(run: Run, { clauses, together, changes }: Known): readonly Markup[] {
  return [failed(together), notShown(clauses), plan(run), changed(changes), waived(run), signature(run)].map(
    fact,
  )
}

function failed(rows: readonly Finding[]): Fact {
  const of = (wanted: Finding['verdict']) => rows.filter(({ verdict }) => verdict === wanted).length
  const [failures, errors, warnings] = [of('fail'), of('error'), of('warn')]
  const count = failures + errors
  const beside = [
    ...(errors > 0 ? [`${counted(errors, 'error')} of Touchstone among them`] : []),
    ...(warnings > 0 ? [`and ${counted(warnings, 'warning')}`] : []),
  ]
  return {
    name: 'Failures',
    value: count === 0 ? 'none' : counted(count, 'check'),
    tone: count > 0 ? 'bad' : 'good',
    at: 'failures',
    ...(beside.length > 0 ? { detail: beside.join(', ') } : {}),
  }
}

function notShown(clauses: readonly ClauseRow[]): Fact {
  const [open, beyond] = [undemonstrated(clauses).length, beyondChecks(clauses).length]
  const mustCount = clauses.filter(({ level, counts }) => level === 'must' && counts).length
  const detail = beyond > 0 ? `and ${beyond} that no check covers` : undefined
  return {
    name: 'MUST clauses not demonstrated',
    value: open === 0 ? 'none' : `${open} of ${mustCount}`,
    tone: open > 0 ? 'doubt' : 'good',
    at: 'not-shown',
    ...(detail === undefined ? {} : { detail }),
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
  return { name: 'Waivers', value: counted(rows.length, 'check'), tone: 'doubt', at: 'waivers', detail }
}

function changed(changes: Comparison | undefined): Fact {
  const about = { name: 'Since the last run', at: 'changes' }
  if (!changes) return { ...about, value: 'not compared', tone: 'quiet' }
  if (changes.obstacle !== null) return { ...about, value: 'not comparable', tone: 'doubt' }
  const [worse, less] = [weighing(changes, 'worse'), weighing(changes, 'less')]
  if (worse > 0) return { ...about, value: `${worse} worse`, tone: 'bad' }
  if (less > 0) return { ...about, value: `${less} not judged now`, tone: 'doubt' }
  return { ...about, value: 'nothing worse', tone: 'good' }
}

function weighing({ changes }: Comparison, weight: Weight): number {
  return changes.filter(({ kind, spared }) => !spared && kindWords[kind].weight === weight).length
}

function signature({ record: { signing } }: Run): Fact {
  if (!signing) return { name: 'Signature', value: 'unsigned', tone: 'quiet', at: 'identity' }
  return {
    name: 'Signature',
    value: `key ${signing.keyid.slice(0, 8)}`,
    tone: 'quiet',
    at: 'identity',
    detail: html`checked by <code>touchstone verify</code>, not by this page`,
  }
}
