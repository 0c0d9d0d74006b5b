/** What was tested with what, the digests that identify it, and its usage. */
import { clauseSetWords } from '../../bundle/clause-set.ts'
import type { Run, RunRecord } from '../../bundle/record.ts'
import { clockTime } from '../../duration.ts'
import { addressOf, kindOf } from '../../run/target-words.ts'
import { underTest } from '../../verdicts/under-test.ts'
import { shorten } from '../../visible.ts'
import { html } from '../elements/escape.ts'
import type { Hole, Markup } from '../elements/escape.ts'
import { wordTable } from '../elements/table.ts'
import { counted, list, pairs, prose } from '../elements/words.ts'

type Pair = readonly [name: string, value: Hole]

const digest = (value: string | undefined): Hole =>
  value === undefined ? undefined : html`<code>${value}</code>`

export function identity({ record }: Run): readonly Markup[] {
  return [
    pairs([...ofRun(record), ...ofTarget(record), ...ofJudge(record), ...ofEvidence(record)], 'pairs long'),
  ]
}

const mostPatterns = 600

const leftOutBy = {
  selection: 'not selected by --only',
  profile: 'belong to a larger profile',
  'not-declared': 'not planned: not declared by the target',
  shard: 'in the other shards',
} as const satisfies Record<RunRecord['plan']['leftOut'][number]['by'], string>

function ofRun({ run, plan }: RunRecord): readonly Pair[] {
  return [
    ['run', digest(run.id)],
    ['started', clockTime(run.startedAt)],
    ['ended', `${clockTime(run.endedAt)}, ${run.lifecycle}`],
    ['profile and seed', `${run.profile}, ${run.seed}`],
    [
      'selection',
      run.only.length === 0 ? 'all checks of the profile' : shorten(run.only.join(' '), mostPatterns),
    ],
    ['opt-ins', run.optIn.join(', ') || 'none'],
    ...plan.leftOut.map(({ by, checks }): Pair => [leftOutBy[by], counted(checks.length, 'check')]),
  ]
}

/** Such as `staging at https://…`. */
export function kindAndPlace(target: RunRecord['target']): Markup {
  const address = addressOf(target)
  return address === null ? html`${kindOf(target)}` : html`${kindOf(target)} at <code>${address}</code>`
}

function ofTarget({ target }: RunRecord): readonly Pair[] {
  const product = underTest(target)
  return [
    ['target', html`${prose(target.name)}, ${kindAndPlace(target)}`],
    ['version, options', product === '' ? undefined : prose(product)],
    ['website', target.url],
    ['contact', target.contact?.join(', ')],
    ['target file, SHA-256', digest(target.fileDigest) ?? 'no target file'],
  ]
}

function ofJudge({ tool, contract, plan }: RunRecord): readonly Pair[] {
  return [
    ['tool', `${tool.name} ${tool.version} on Node ${tool.node}`],
    ['suite, SHA-256', digest(tool.suite)],
    ['clauses', `set ${clauseSetWords(contract)}`],
    ['clauses, SHA-256', digest(contract.digest)],
    ['plan', `${counted(plan.checks.length, 'check')}, written before the first request`],
    ['plan, SHA-256', digest(plan.digest)],
    ['plan of all shards, SHA-256', digest(plan.shard?.plan)],
  ]
}

function ofEvidence({ journal, signing, merged }: RunRecord): readonly Pair[] {
  return [
    ['journal', journal ? `${counted(journal.lines, 'line')}, linked by a hash chain` : 'not written'],
    ['journal head, SHA-256', digest(journal?.head)],
    ...(merged?.shards ?? []).map(({ number, run, manifest }): Pair => [
      `shard ${number}, SHA-256 of its manifest`,
      html`<code>${manifest}</code>, run <code>${run}</code>`,
    ]),
    ['signature', signing ? html`Ed25519, key <code>${signing.keyid}</code>` : 'unsigned'],
  ]
}

/** Caps with what was taken of them. */
export function spent({ record }: Run): readonly Markup[] {
  const { used, budgets, plan } = record
  const seconds = (value: number): string => `${Number(value.toFixed(1))} s`
  const rows: readonly (readonly [string, string, string, string])[] = [
    ['requests', String(used.requests), String(plan.ceiling.requests), String(budgets.requests)],
    ['turns', String(used.turns), String(plan.ceiling.turns), String(budgets.turns)],
    ['credits', String(used.credits), 'unknown', String(budgets.credits)],
    ['time', seconds(used.wallSeconds), 'unknown', seconds(budgets.wallSeconds)],
  ]
  return [
    wordTable(
      'Usage: actual, planned maximum and limit',
      ['resource', 'actual', 'planned maximum', 'limit'],
      rows.map(([head, ...cells]) => ({ head, cells })),
    ),
    html`<p class="soft">At most ${budgets.requestsPerMinute} requests a minute with one API key.</p>`,
  ]
}

export function redactions({ record: { redaction } }: Run): readonly Markup[] {
  if (!redaction) return [html`<p>This record does not list redactions.</p>`]
  const counts = Object.entries(redaction.counts)
  const kept = redaction.disclosed
    ? 'Secrets of webhooks that the run created and deleted are not redacted, as requested.'
    : 'Equal secrets have equal placeholders.'
  return [
    html`<p>
      ${counts.length > 0 ? 'Redacted before anything was written, by name of the secret:' : 'No secret had to be redacted.'}
    </p>`,
    ...(counts.length > 0
      ? [list(counts.map(([name, count]) => html`<code>${name}</code>: ${count} times`))]
      : []),
    html`<p class="soft">${kept}</p>`,
  ]
}
