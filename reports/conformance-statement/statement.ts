/** What is handed over of a verified run: one page, as HTML and as Markdown, made of the same sections. */
import { clauseSetWords } from '../bundle/clause-set.ts'
import type { Run, RunRecord } from '../bundle/record.ts'
import { clockTime, duration } from '../duration.ts'
import { plain, codeMarked } from '../formats/markdown.ts'
import { documentOf } from '../html/elements/document.ts'
import { html } from '../html/elements/escape.ts'
import type { Markup } from '../html/elements/escape.ts'
import { wordTable } from '../html/elements/table.ts'
import { counted, list, pairs, part, prose } from '../html/elements/words.ts'
import { banner } from '../html/sections/banners.ts'
import { answers } from '../html/sections/head.ts'
import { caveats } from '../run/caveats.ts'
import { originLine, sourceLine } from '../run/origin-words.ts'
import { answerOf, gateOf, scopeTexts } from '../run/scope.ts'
import { addressOf, kindOf } from '../run/target-words.ts'
import { clauseRows, type ClauseRow } from '../verdicts/clause-verdicts.ts'
import {
  coverageByArea,
  coverageKindOf,
  coverageKinds,
  coverageOf,
  percentPassed,
} from '../verdicts/coverage.ts'
import { groupsOf } from '../verdicts/not-exercised.ts'
import { otherSetWords } from '../verdicts/other-sets.ts'
import { uncheckedWords } from '../verdicts/rows.ts'
import { daysLeft } from '../verdicts/standing.ts'
import { shorten } from '../visible.ts'
import { partialBecause } from './refusal.ts'
import { unpublishedSet } from './unpublished-set.ts'

export interface VerifiedBundle {
  /** SHA-256, hex, of manifest.json. */
  manifest: string
  /** SHA-256, hex, of the public key that verifies the signature. */
  keyid: string
  /** The package and its version, as `npx` takes it. */
  package: string
  /** How it was judged again after the run, such as `by version 1.3.0`; null if the run's own verdicts stand. */
  judgedAgain: string | null
  /** Whether the test result beside the page is signed, which has the digest of the page. */
  signed: boolean
}

/** Words in which names stand between backticks, or what is printed as it is. */
type Block =
  | { readonly words: string }
  | { readonly list: readonly string[] }
  | { readonly pairs: readonly (readonly [name: string, words: string | undefined])[] }
  | {
      readonly table: readonly (readonly string[])[]
      readonly columns: readonly string[]
      readonly caption: string
    }
  | { readonly code: readonly string[] }

interface Section {
  readonly id: string
  readonly title: string
  readonly blocks: readonly Block[]
}

export function statementTitle({ record }: Run): string {
  const partial = partialBecause(record).length > 0 ? 'PARTIAL ' : ''
  const set =
    record.contract.definition === undefined ? '' : ` (clause set ${record.contract.revision}, not published)`
  return `${partial}conformance statement: ${versionOf(record)}${set}`
}

const versionOf = ({ target }: RunRecord): string => `${target.name} ${target.version ?? ''}`.trim()

/** One HTML file without scripts. The run is one that `certificationRefusal` does not refuse. */
export function statementPage(run: Run, bundle: VerifiedBundle): string {
  const body = html`<header>
      ${bannersOf(run, bundle).map(([title, words]) => banner(`${title}.`, words))}
      <p class="eyebrow">Conformance statement</p>
      <h1>${versionOf(run.record)}</h1>
      <p class="soft">${placeOf(run.record)}</p>
      ${answers(run, clauseRows(run))}
    </header>
    <main>
      ${sectionsOf(run, bundle).map(({ id, title, blocks }) => part(id, title, blocks.map(markupOf)))}
    </main>`
  return documentOf(statementTitle(run), body)
}

function markupOf(block: Block): Markup {
  if ('words' in block) return html`<p>${prose(block.words)}</p>`
  if ('list' in block) return list(block.list.map(prose))
  if ('pairs' in block)
    return pairs(
      block.pairs.map(([name, words]) => [name, words && prose(words)]),
      'pairs long',
    )
  if ('code' in block) return html`<pre>${block.code.join('\n')}</pre>`
  const rows = block.table.map(([head = '', ...cells]) => ({ head: prose(head), cells: cells.map(prose) }))
  return wordTable(block.caption, block.columns, rows)
}

/** The same in Markdown. */
export function statementMarkdown(run: Run, bundle: VerifiedBundle): string {
  const { record } = run
  const { sign, word, means } = answerOf(record)
  const gate = `${gateOf(record)} ${record.gate.passed ? 'passed' : 'failed'}`
  const lines = [
    `# ${plain(statementTitle(run))}`,
    plain(placeOf(record)),
    ...bannersOf(run, bundle).map(([title, words]) => `> **${title}.** ${codeMarked(words)}`),
    `${sign} **${plain(word)}**, ${gate} (exit code ${record.exitCode}). ${plain(means)}`,
    ...sectionsOf(run, bundle).flatMap(({ title, blocks }) =>
      blocks.length === 0 ? [] : [`## ${title}`, ...blocks.map(markdownOf)],
    ),
  ]
  return `${lines.join('\n\n')}\n`
}

function markdownOf(block: Block): string {
  if ('words' in block) return codeMarked(block.words)
  if ('list' in block) return block.list.map((item) => `- ${codeMarked(item)}`).join('\n')
  if ('pairs' in block)
    return block.pairs
      .flatMap(([name, words]) => (words ? [`- ${name}: ${codeMarked(words)}`] : []))
      .join('\n')
  if ('code' in block) return ['```', ...block.code, '```'].join('\n')
  const row = (cells: readonly string[]): string => `| ${cells.map(codeMarked).join(' | ')} |`
  return [
    `${codeMarked(block.caption)}\n`,
    row(block.columns),
    `|${' --- |'.repeat(block.columns.length)}`,
    ...block.table.map(row),
  ].join('\n')
}

function bannersOf(
  run: Run,
  { judgedAgain }: VerifiedBundle,
): readonly (readonly [title: string, words: string])[] {
  const partial = partialBecause(run.record)
  const unpublished = unpublishedSet(run)
  return [
    ...(partial.length > 0 ? [['PARTIAL', `Not a whole result: ${partial.join(', ')}.`] as const] : []),
    ...(unpublished === null ? [] : [['Unpublished clause set', fewerWords(run, unpublished)] as const]),
    ...(judgedAgain === null
      ? []
      : [
          [
            'Judged again',
            `The verdicts are not those of the day of the run: its recorded traffic was later judged again ${judgedAgain}.`,
          ] as const,
        ]),
  ]
}

type Unpublished = NonNullable<ReturnType<typeof unpublishedSet>>

function fewerWords({ record }: Run, { base, removed, lowered }: Unpublished): string {
  const fewer = [
    ...(removed.length === 0 ? [] : [`${counted(removed.length, 'MUST clause')} removed`]),
    ...(lowered.length === 0 ? [] : [`${counted(lowered.length, 'MUST clause')} lowered to SHOULD`]),
  ]
  const words = fewer.length === 0 ? 'No MUST clause is removed or lowered' : fewer.join(', ')
  return `${record.contract.revision} is from a file that changes ${base}. ${words}. This is no statement about ${base}.`
}

function placeOf({ target }: RunRecord): string {
  const address = addressOf(target)
  return address === null ? kindOf(target) : `${kindOf(target)} at ${address}`
}

function sectionsOf(run: Run, bundle: VerifiedBundle): readonly Section[] {
  const { record } = run
  const clauses = clauseRows(run)
  const unpublished = unpublishedSet(run)
  return [
    { id: 'by-area', title: 'MUST clauses by area', blocks: [coverage(run, clauses)] },
    {
      id: 'unpublished',
      title: 'What the clause set changes',
      blocks: unpublished === null ? [] : [{ list: changedIds(unpublished) }],
    },
    {
      id: 'other-sets',
      title: 'Under other clause sets',
      blocks: otherSetWords(record).flatMap(({ words, title, gate, because, lines }) => [
        { words: `${words.sign} ${title}: ${gate}` },
        { list: [...because, ...lines] },
      ]),
    },
    { id: 'left-out', title: 'What was left out, and why', blocks: [leftOut(run, clauses)] },
    { id: 'waivers', title: 'Waivers', blocks: waivers(record) },
    { id: 'run', title: 'What was tested, how and by whom', blocks: [{ pairs: identity(record, bundle) }] },
    { id: 'verify', title: 'Verify this statement', blocks: verification(bundle) },
    { id: 'limits', title: 'What it does not show', blocks: [{ list: caveats(record) }] },
  ]
}

function coverage({ record }: Run, clauses: readonly ClauseRow[]): Block {
  const all = [...coverageByArea(clauses), ['all areas', coverageOf(clauses)] as const]
  const kinds = coverageKinds.filter((kind) => all.some(([, { counts }]) => counts[kind] > 0))
  return {
    caption: `Of the MUST clauses of clause set ${record.contract.revision}; each is counted once, by its worst check.`,
    columns: ['area', ...kinds, 'MUST clauses', 'share passed'],
    table: all.map(([area, own]) => [
      area,
      ...kinds.map((kind) => String(own.counts[kind])),
      String(own.all),
      `${percentPassed(own)} %`,
    ]),
  }
}

function changedIds({ base, removed, lowered }: Unpublished): readonly string[] {
  const line = (ids: readonly string[], how: string): readonly string[] =>
    ids.length === 0
      ? []
      : [`${ids.length} MUST of ${base} ${how}: ${ids.map((id) => `\`${id}\``).join(', ')}`]
  return [...line(removed, 'removed'), ...line(lowered, 'lowered')]
}

function leftOut({ record }: Run, clauses: readonly ClauseRow[]): Block {
  const { findings, plan } = record
  const undeclared = plan.leftOut.flatMap(({ by, checks }) => (by === 'not-declared' ? checks : []))
  const inconclusive = findings.filter(({ verdict }) => verdict === 'inconclusive').length
  const untestable = clauses.filter((row) => coverageKindOf(row) === 'untestable').length
  const line = (checks: number, because: string): readonly string[] =>
    checks === 0 ? [] : [`${counted(checks, 'check')} ${because}`]
  const lines = [
    ...scopeTexts(record),
    ...line(undeclared.length, 'not planned: the target does not declare what they need'),
    ...groupsOf(findings).flatMap((group) => line(group.findings.length, `not run: ${group.says}`)),
    ...line(inconclusive, 'inconclusive: the situation to be tested did not arise'),
    ...uncheckedWords(record),
    ...(untestable === 0 ? [] : [`${counted(untestable, 'MUST clause')} cannot be tested from outside`]),
  ]
  return lines.length === 0 ? { words: 'Nothing.' } : { list: lines }
}

const mostWaivers = 20
const mostText = 120

function waivers({ findings, run }: RunRecord): readonly Block[] {
  const waived = findings
    .flatMap(({ check, waived: by }) => (by ? [{ check, by }] : []))
    .toSorted((one, other) => (one.by.expires < other.by.expires ? -1 : 1))
  if (waived.length === 0) return [{ words: 'No failure is waived.' }]
  const rest = waived.length - mostWaivers
  return [
    {
      caption:
        'A waived failure passes the gate and stays a failure. Days are counted from the end of the run.',
      columns: ['check', 'owner', 'expires', 'reason'],
      table: waived
        .slice(0, mostWaivers)
        .map(({ check, by: { owner, expires, reason } }) => [
          `\`${check}\``,
          owner,
          `${expires}, ${daysLeft(expires, run.endedAt)}`,
          shorten(reason, mostText),
        ]),
    },
    ...(rest > 0 ? [{ words: `${rest} more are in the report of the run.` }] : []),
  ]
}

function identity(
  record: RunRecord,
  bundle: VerifiedBundle,
): readonly [name: string, words: string | undefined][] {
  const { target, contract, tool, run, used } = record
  return [
    ['organization', target.organization],
    ['project, website', [target.project, target.url].filter(Boolean).join(', ') || undefined],
    ['clause set', `${clauseSetWords(contract)}, SHA-256 \`${contract.digest}\``],
    ['target file', target.fileDigest && `SHA-256 \`${target.fileDigest}\``],
    ['tool and suite', `${tool.name} ${tool.version}, suite SHA-256 \`${tool.suite}\``],
    ['run', `\`${run.id}\`, ${run.profile} profile, seed ${run.seed}`],
    ['judged again', bundle.judgedAgain ?? undefined],
    ['opt-ins', run.optIn.join(', ') || 'none'],
    [
      'time',
      `${clockTime(run.startedAt)}, ${duration(used.wallSeconds)}, ${counted(used.requests, 'request')}`,
    ],
    ['run by', [originLine(record), sourceLine(record)].filter(Boolean).join('; ') || 'not recorded'],
    ['signed with', `Ed25519, key id \`${bundle.keyid}\``],
    ['manifest', `SHA-256 \`${bundle.manifest}\``],
  ]
}

/** For readers who have the public key from elsewhere, and perhaps the run bundle. */
function verification({ signed, package: name }: VerifiedBundle): readonly Block[] {
  return [
    ...(signed
      ? [
          {
            words:
              'This page has no signature of its own. The test result beside it is signed and has the digest of every file of the folder:',
          },
          { code: [`npx ${name} verify FOLDER --key KEY.pub.pem   # test-result.dsse.json`] },
        ]
      : [
          {
            words:
              'This page is not signed. What counts is in `statement.dsse.json` beside it, which the key above signed: compare target, version and result.',
          },
        ]),
    { words: 'With the run bundle, the result itself can be verified:' },
    {
      code: [
        'openssl pkey -pubin -in KEY.pub.pem -outform DER | sha256sum   # the key id above',
        'sha256sum BUNDLE/manifest.json   # the manifest above',
        `npx ${name} verify BUNDLE --key KEY.pub.pem --rejudge   # VERIFIED`,
      ],
    },
  ]
}
