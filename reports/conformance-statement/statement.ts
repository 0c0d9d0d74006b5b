/** What is handed over of a verified run: one page, as HTML and as Markdown, and an in-toto test result. */
import { levelsIn, type Level } from '../../spec/index.ts'
import { clauseSetWords } from '../../bundle/clause-set.ts'
import { ownMember } from '../../bundle/json.ts'
import { narrowedBy, type Run, type RunRecord, type Verdict } from '../../bundle/record.ts'
import { statementType, type inTotoSubjects, type statementOf } from '../../bundle/seal/statement.ts'
import {
  clockTime,
  counted,
  duration,
  present,
  type Block,
  type Section,
  type Words,
} from '../document/blocks.ts'
import { htmlOf } from '../document/html.ts'
import { markdownOf } from '../document/markdown.ts'
import { answerBlocks, coverageBlocks, gateAnswer, placeInRun, waiverBlocks } from '../run/parts.ts'
import { answerOf, caveats, scopeTexts } from '../run/scope.ts'
import { originLine, sourceLine, tookSeconds } from '../run/words.ts'
import { clauseRows, coverageKindOf, uncheckedWords, type ClauseRow } from '../verdicts/clauses.ts'
import { groupsOf } from '../verdicts/reasons.ts'

export interface VerifiedBundle {
  /** SHA-256, hex, of manifest.json. */
  manifest: string
  /** SHA-256, hex, of the public key that verifies the signature. */
  keyid: string
  /** Of Touchstone, which verified it. */
  version: string
  /** How it was judged again after the run, such as `by version 1.3.0`; null if the run's own verdicts stand. */
  judgedAgain: string | null
  /** Whether the test result beside the page is signed, which has the digest of the page. */
  signed: boolean
}

export function statementTitle({ record }: Run): string {
  const partial = partialBecause(record).length > 0 ? 'PARTIAL ' : ''
  const set =
    record.contract.definition === undefined ? '' : ` (clause set ${record.contract.revision}, not published)`
  return `${partial}conformance statement: ${versionOf(record)}${set}`
}

const versionOf = ({ target }: RunRecord): string => `${target.name} ${target.version ?? ''}`.trim()

/** One HTML file without scripts. The run is one that `certificationRefusal` does not refuse. */
export const statementPage = (run: Run, bundle: VerifiedBundle): string =>
  htmlOf({ title: statementTitle(run), ...reportOf(run, bundle), heading: versionOf(run.record) })

export const statementMarkdown = (run: Run, bundle: VerifiedBundle): string =>
  markdownOf({ ...reportOf(run, bundle), heading: statementTitle(run) }, 'the report of the run')

function reportOf(run: Run, bundle: VerifiedBundle) {
  const { record } = run
  const partial = partialBecause(run.record)
  const unpublished = unpublishedSet(run)
  const head: readonly Block[] = [
    ...present<Block>(
      partial.length > 0 && { banner: 'PARTIAL', says: `Not a whole result: ${partial.join(', ')}.` },
      unpublished && { banner: 'Unpublished clause set', says: fewerWords(run, unpublished) },
      bundle.judgedAgain !== null && {
        banner: 'Judged again',
        says: `The verdicts are not those of the day of the run: its recorded traffic was later judged again ${bundle.judgedAgain}.`,
      },
    ),
    { words: placeInRun(record.target), kind: 'soft' },
    { answers: answerBlocks(run, clauseRows(run)) },
  ]
  return { eyebrow: 'Conformance statement', head, sections: sectionsOf(run, bundle) }
}

/**
 * The pages beside a signed result whose title or answers are not those that follow from it. The rest of them follows from
 * the run bundle alone. `predicate`: of a result that `statementIn` can read, whoever wrote it.
 */
export function pagesSayOther(
  predicate: unknown,
  pages: Readonly<Record<string, string>>,
): readonly string[] {
  const { scope, ...rest } = predicate as ReturnType<typeof statementOf>['predicate']
  const missing = ownMember(scope.notExercised, 'shard-missing') ? [{ reason: 'shard-missing' }] : []
  const record = {
    ...rest,
    findings: missing,
    plan: { leftOut: Object.keys(scope.leftOut).map((by) => ({ by, checks: [] })) },
    gate: { ...rest.gate, because: [], stalePolicy: [] },
  } as unknown as RunRecord
  const run = { record, journal: [] }
  const answers = [{ question: '', ...answerOf(record), detail: '' }, gateAnswer(record)]
  const report = { head: [{ answers }], sections: [] }
  const signed: Readonly<Record<string, string>> = {
    'statement.html': htmlOf({ title: statementTitle(run), ...report, heading: versionOf(record) }),
    'statement.md': markdownOf({ ...report, heading: statementTitle(run) }, ''),
  }
  return Object.keys(pages).filter((file) => answersIn(signed[file]) !== answersIn(pages[file]))
}

const withCopy = 'With the run bundle and a copy of Touchstone '

/** The version of Touchstone that wrote a page; undefined if it names none. */
export const writerOf = (page: string): string | undefined =>
  page.split(withCopy)[1]?.split(',', 1)[0]?.replaceAll('\\', '')

/** Title and answers as a page has them. */
const answersIn = (page = ''): string =>
  (
    page.match(/<title>[^<]*|<h1>[^]*?<\/h1>|<p class="answer">[^]*?<\/p>|^## .*|^[✓✗–] \*\*.*?\*\*/gm) ?? []
  ).join('\n')

type Unpublished = NonNullable<ReturnType<typeof unpublishedSet>>

function fewerWords({ record }: Run, { base, removed, lowered }: Unpublished): string {
  const fewer = present(
    removed.length > 0 && `${counted(removed.length, 'MUST clause')} removed`,
    lowered.length > 0 && `${counted(lowered.length, 'MUST clause')} lowered to SHOULD`,
  )
  const words = fewer.join(', ') || 'No MUST clause is removed or lowered'
  return `${record.contract.revision} is from a file that changes ${base}. ${words}. This is no statement about ${base}.`
}

function sectionsOf(run: Run, bundle: VerifiedBundle): readonly Section[] {
  const { record } = run
  const clauses = clauseRows(run)
  const unpublished = unpublishedSet(run)
  const section = (id: string, title: string, blocks: readonly Block[]): Section => ({ id, title, blocks })
  return [
    section('by-area', 'MUST clauses by area', coverageBlocks(clauses, run)),
    section(
      'unpublished',
      'What the clause set changes',
      unpublished === null ? [] : [{ items: changedIds(unpublished) }],
    ),
    section('left-out', 'What was left out, and why', [leftOut(run, clauses)]),
    section('waivers', 'Waivers', waiverBlocks(record, 20)),
    section('run', 'What was tested, how and by whom', [identity(record, bundle)]),
    section('verify', 'Verify this statement', verification(bundle)),
    section('limits', 'What it does not show', [{ items: caveats(record) }]),
  ]
}

function changedIds({ base, removed, lowered }: Unpublished): readonly string[] {
  const line = (ids: readonly string[], how: string): string =>
    `${ids.length} MUST of ${base} ${how}: ${ids.map((id) => `\`${id}\``).join(', ')}`
  return present(
    removed.length > 0 && line(removed, 'removed'),
    lowered.length > 0 && line(lowered, 'lowered'),
  )
}

function leftOut({ record }: Run, clauses: readonly ClauseRow[]): Block {
  const { findings, plan } = record
  const undeclared = plan.leftOut.flatMap(({ by, checks }) => (by === 'not-declared' ? checks : []))
  const inconclusive = findings.filter(({ verdict }) => verdict === 'inconclusive').length
  const untestable = clauses.filter((row) => coverageKindOf(row) === 'untestable').length
  const line = (checks: number, because: string): string =>
    checks > 0 ? `${counted(checks, 'check')} ${because}` : ''
  const items = present(
    ...scopeTexts(record),
    line(undeclared.length, 'not planned: the target does not declare what they need'),
    ...groupsOf(findings).map((group) => line(group.findings.length, `not run: ${group.says}`)),
    line(inconclusive, 'inconclusive: they ran without a result'),
    ...uncheckedWords(record),
    untestable > 0 && `${counted(untestable, 'MUST clause')} cannot be tested from outside`,
  )
  return items.length === 0 ? { words: 'Nothing.' } : { items }
}

function identity(record: RunRecord, bundle: VerifiedBundle): Block {
  const { target, contract, tool, run, used } = record
  const fields: readonly (readonly [string, Words])[] = [
    ['organization', target.organization],
    ['project, website', [target.project, target.url].filter(Boolean).join(', ') || undefined],
    ['clause set', `${clauseSetWords(contract)}, SHA-256 \`${contract.digest}\``],
    ['target settings', target.fileDigest && `SHA-256 \`${target.fileDigest}\``],
    ['tool and suite', `${tool.name} ${tool.version}, suite SHA-256 \`${tool.suite}\``],
    ['run', `\`${run.id}\`, ${run.profile} profile, seed ${run.seed}`],
    ['judged again', bundle.judgedAgain ?? undefined],
    ['opt-ins', run.optIn.join(', ') || 'none'],
    [
      'time',
      `${clockTime(run.startedAt)}, ${duration(tookSeconds(record))}, ${counted(used.requests, 'request')}`,
    ],
    ['run by', [originLine(record), sourceLine(record)].filter(Boolean).join('; ') || 'not recorded'],
    ['signed with', `Ed25519 key id \`${bundle.keyid}\``],
    ['manifest', `SHA-256 \`${bundle.manifest}\``],
  ]
  return { kind: 'wide', fields }
}

/** For readers who have the public key from elsewhere, and perhaps the run bundle. */
function verification({ signed, version }: VerifiedBundle): readonly Block[] {
  const words = signed
    ? `This page has no signature of its own. The test result beside it is signed and has the digest of every file of the folder. With a copy of Touchstone ${version}:`
    : 'This page is not signed. What counts is in `statement.dsse.json` beside it, which the key above signed: compare target, version and result.'
  return present<Block>(
    { words },
    signed && { code: ['npx touchstone verify FOLDER --key KEY.pub.pem   # test-result.dsse.json'] },
    { words: `${withCopy}${version}, the result itself can be verified:` },
    {
      code: [
        'openssl pkey -pubin -in KEY.pub.pem -outform DER | sha256sum   # the key id above',
        'sha256sum BUNDLE/manifest.json   # the manifest above',
        'npx touchstone verify BUNDLE --key KEY.pub.pem --rejudge   # VERIFIED',
      ],
    },
  )
}

/** What is missing for a whole statement; empty for one of everything that the standard profile has. */
export function partialBecause(record: RunRecord): readonly string[] {
  const missing = record.findings.some(({ reason }) => reason === 'shard-missing')
  return present(
    narrowedBy(record) === 'profile' && 'smoke profile',
    missing && 'a shard is missing',
    record.conformance === 'partial' && 'MUST clauses not tested',
    record.run.lifecycle !== 'finished' && `not finished (${record.run.lifecycle})`,
  )
}

/** Why the run of this record cannot be certified, and what to do. Null if it can. */
export function certificationRefusal(
  record: RunRecord,
  { allowPartial }: { allowPartial: boolean },
): string | null {
  const { target } = record
  if (target.kind === 'simulator')
    return 'the target is the simulator, which says nothing about a service; check the service itself.'
  if (target.kind === 'client' || target.kind === 'receiver')
    return `it is of a ${target.kind}, and statements are made about services; hand over the signed folder itself.`
  const narrowed = narrowedBy(record)
  if (narrowed === 'selection') return 'only a selection was run; run it without --only.'
  if (narrowed === 'shard') return 'it is one shard; merge all shards with `touchstone merge` first.'
  if (target.version === undefined)
    return 'the version of the target is not declared; set `target.implementation.version` in the target file and run it again.'
  const partial = partialBecause(record)
  if (partial.length > 0 && !allowPartial)
    return `it is not a whole result: ${partial.join(', ')}. Complete the run, or state it as partial with --allow-partial.`
  return null
}

export const testResultType = 'https://in-toto.io/attestation/test-result/v0.1'

const resultOf: Readonly<Record<RunRecord['conformance'], string>> = {
  conformant: 'PASSED',
  partial: 'WARNED',
  nonconformant: 'FAILED',
}

/** A waived failure is a failed test. What passes only under an unpublished clause set is a warning. */
export function testResultOf(
  run: Run,
  subjects: ReturnType<typeof inTotoSubjects>,
  judgedAgain: string | null,
) {
  const { record } = run
  const unpublished = unpublishedSet(run)
  const { findings, conformance, target, contract, tool } = record
  const { id, profile, endedAt } = record.run
  const checks = (...verdicts: readonly Verdict[]): readonly string[] =>
    findings.flatMap(({ check, verdict }) => (verdicts.includes(verdict) ? [check] : []))
  return {
    _type: statementType,
    subject: subjects,
    predicateType: testResultType,
    predicate: {
      result: resultOf[conformance === 'conformant' && unpublished !== null ? 'partial' : conformance],
      configuration: [
        {
          name: 'clause-set',
          digest: { sha256: contract.digest },
          annotations: { revision: contract.revision, ...(unpublished && { unpublished }) },
        },
        { name: 'suite', digest: { sha256: tool.suite }, annotations: { version: tool.version } },
        {
          name: 'target',
          uri: target.baseUrl,
          annotations: { name: target.name, version: target.version, kind: target.kind },
        },
        { name: 'run', annotations: { id, profile, endedAt, ...(judgedAgain !== null && { judgedAgain }) } },
      ],
      passedTests: checks('pass'),
      warnedTests: checks('warn'),
      failedTests: checks('fail', 'error'),
    },
  }
}

/**
 * Such as `PASSED: acme 4.2.1 (https://api.acme.example), clause set 2026-11, run of 2026-11-26T09:00:00.000Z`. Null for
 * what is no such statement; nothing in it is believed.
 */
export function testResultWords(statement: unknown): string | null {
  const predicate = ownMember(statement, 'predicate')
  const configured = ownMember(predicate, 'configuration')
  const named = (name: string): unknown =>
    Array.isArray(configured) ? configured.find((one) => ownMember(one, 'name') === name) : undefined
  const note = (name: string, member: string): unknown =>
    ownMember(ownMember(named(name), 'annotations'), member)
  const words = [
    ownMember(predicate, 'result'),
    note('target', 'name'),
    note('target', 'version'),
    ownMember(named('target'), 'uri'),
    note('clause-set', 'revision'),
    note('run', 'endedAt'),
  ]
  if (ownMember(statement, 'predicateType') !== testResultType) return null
  if (!words.every((word) => typeof word === 'string')) return null
  const [result, target, version, address, revision, endedAt] = words
  return `${result}: ${target} ${version} (${address}), clause set ${revision}, run of ${endedAt}`
}

export interface UnpublishedSet {
  base: string
  /** Ids of MUST clauses of the base that do not count. */
  removed: readonly string[]
  /** Ids of MUST clauses of the base that are SHOULD clauses here. */
  lowered: readonly string[]
}

export function unpublishedSet(run: Run): UnpublishedSet | null {
  const { contract } = run.record
  if (contract.definition === undefined) return null
  const { base } = contract.definition
  const [before, after] = [{ revision: base }, contract].map((set) => levelsIn(set) ?? {})
  const required = clauseRows(run)
    .map(({ clause }) => clause)
    .filter((clause) => before?.[clause] === 'must')
  const now = (level: Level | undefined): readonly string[] =>
    required.filter((clause) => after?.[clause] === level)
  return { base, removed: now(undefined), lowered: now('should') }
}
