/** What a clause set from a file demands less than the published one that it changes, for what is under test. */
import { levelsIn, type Level } from '../../spec/index.ts'
import { clauseSetWords } from '../bundle/clause-set.ts'
import type { Run, RunRecord } from '../bundle/record.ts'
import { html } from '../html/elements/escape.ts'
import type { Markup } from '../html/elements/escape.ts'
import { banner } from '../html/sections/banners.ts'
import { counted, list } from '../html/elements/words.ts'
import { clauseRows } from '../verdicts/clause-verdicts.ts'

export interface UnpublishedSet {
  /** The published set. */
  base: string
  /** Ids of MUST clauses of the base that do not count. */
  removed: readonly string[]
  /** Ids of MUST clauses of the base that are SHOULD clauses here. */
  lowered: readonly string[]
}

/** Null of a published set. */
export function unpublishedSet(run: Run): UnpublishedSet | null {
  const { contract } = run.record
  if (contract.definition === undefined) return null
  const { base } = contract.definition
  const [before, after] = [{ revision: base }, contract].map((set) => levelsIn(set) ?? {})
  const musts = clauseRows(run)
    .map(({ clause }) => clause)
    .filter((clause) => before?.[clause] === 'must')
  const now = (level: Level | undefined): readonly string[] =>
    musts.filter((clause) => after?.[clause] === level)
  return { base, removed: now(undefined), lowered: now('should') }
}

/** As the title of a statement has it; empty for a published set. */
export function setInTitle({ contract }: RunRecord): string {
  return contract.definition === undefined ? '' : ` (clause set ${contract.revision}, not published)`
}

export function unpublishedBanner({ record }: Run, set: UnpublishedSet): Markup {
  const { base, removed, lowered } = set
  const fewer = [
    ...(removed.length === 0 ? [] : [`${counted(removed.length, 'MUST clause')} removed`]),
    ...(lowered.length === 0 ? [] : [`${counted(lowered.length, 'MUST clause')} lowered to SHOULD`]),
  ]
  const words = fewer.length === 0 ? 'No MUST clause is removed or lowered' : fewer.join(', ')
  return banner(
    'Unpublished clause set.',
    html`${record.contract.revision} is from a file that changes ${base}. ${words}. This is no statement about
    ${base}.`,
  )
}

/** The ids behind the numbers of the banner. */
export function unpublishedRows(
  { record }: Run,
  { base, removed, lowered }: UnpublishedSet,
): readonly Markup[] {
  const ids = (clauses: readonly string[]): Markup => html`<code>${clauses.join(', ')}</code>`
  return [
    html`<p>The clause set ${clauseSetWords(record.contract)} was not published with Touchstone.</p>`,
    list([
      ...(removed.length === 0 ? [] : [html`${removed.length} MUST of ${base} removed: ${ids(removed)}`]),
      ...(lowered.length === 0 ? [] : [html`${lowered.length} MUST of ${base} lowered: ${ids(lowered)}`]),
    ]),
  ]
}
