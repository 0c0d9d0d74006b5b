/** The statement: one or two printed pages, to hand over beside a run bundle or in its place. */
import { clauseSetWords } from '../bundle/clause-set.ts'
import type { Run } from '../bundle/record.ts'
import { clockTime, duration } from '../duration.ts'
import { documentOf } from '../html/elements/document.ts'
import { html, noMarkup } from '../html/elements/escape.ts'
import type { Hole, Markup } from '../html/elements/escape.ts'
import { counted, list, pairs, part, prose } from '../html/elements/words.ts'
import { banner } from '../html/sections/banners.ts'
import { coverageTable } from '../html/sections/coverage.ts'
import { answers } from '../html/sections/head.ts'
import { kindAndPlace } from '../html/sections/identity.ts'
import { otherSets } from '../html/sections/other-sets.ts'
import { caveats } from '../run/caveats.ts'
import { originLine, sourceLine } from '../run/origin-words.ts'
import { clauseRows } from '../verdicts/clause-verdicts.ts'
import { leftOutLines } from './left-out.ts'
import { partialBecause } from './refusal.ts'
import { historyRows, type StatedHistory } from './run-history.ts'
import { statementStyle } from './style.ts'
import { testResultType } from './test-result.ts'
import { setInTitle, unpublishedBanner, unpublishedRows, unpublishedSet } from './unpublished-set.ts'
import { waiverRows } from './waiver-rows.ts'

/** What the statement says beside the run. */
export interface VerifiedBundle {
  /** SHA-256, hex, of manifest.json. */
  manifest: string
  /** SHA-256, hex, of the public key that verifies the signature. */
  keyid: string
  /** The package and its version, as `npx` takes it. */
  package: string
  /** How it was judged again after the run, such as `by version 1.3.0`; null if the run's own verdicts stand. */
  judgedAgain: string | null
  /** How the test result beside them is signed, which has the digests of page and badges. */
  signed: { readonly key: boolean; readonly sigstore: boolean }
  /** Null without a log of runs. */
  history: StatedHistory | null
}

export function statementTitle({ record }: Run): string {
  const partial = partialBecause(record).length > 0 ? 'PARTIAL ' : ''
  return `${partial}conformance statement: ${versionOf(record)}${setInTitle(record)}`
}

const versionOf = ({ target }: Run['record']): string => `${target.name} ${target.version ?? ''}`.trim()

/** One HTML file without scripts. The run is one that `certificationRefusal` does not refuse. */
export function statementPage(run: Run, bundle: VerifiedBundle): string {
  return documentOf(statementTitle(run), body(run, bundle), { style: statementStyle })
}

function body(run: Run, bundle: VerifiedBundle): Markup {
  const { record } = run
  const clauses = clauseRows(run)
  const partial = partialBecause(record)
  const unpublished = unpublishedSet(run)
  return html`<header>
      ${partial.length > 0 ? banner('PARTIAL.', `Not a whole result: ${partial.join(', ')}.`) : noMarkup}
      ${unpublished === null ? noMarkup : unpublishedBanner(run, unpublished)}
      ${bundle.judgedAgain === null ? noMarkup : banner('Judged again.', `${judgedAgainWords(bundle.judgedAgain)}.`)}
      <p class="eyebrow">
        ${partial.length > 0 ? 'Partial conformance statement' : 'Conformance statement'}${setInTitle(record)}
      </p>
      <h1>${prose(record.target.name)} ${prose(record.target.version ?? '')}</h1>
      <p class="soft">${kindAndPlace(record.target)}</p>
      ${answers(run, clauses)}
    </header>
    <main>
      ${part('by-area', 'MUST clauses by area', coverageTable(clauses, run))}
      ${unpublished === null ? noMarkup : part('unpublished', 'What the clause set changes', unpublishedRows(run, unpublished))}
      ${part('other-sets', 'Under other clause sets', otherSets(run))}
      ${part('left-out', 'What was left out, and why', leftOut(leftOutLines(run, clauses)))}
      ${part('waivers', 'Waivers', waiverRows(run))}
      ${part('run', 'What was tested, how and by whom', [pairs(identity(run, bundle), 'pairs long')])}
      ${part('runs', 'How often it was run', historyRows(bundle.history, versionOf(record)))}
      ${part('verify', 'Verify this statement', verification(bundle))}
      ${part('limits', 'What it does not show', [list(caveats(record, bundle.history !== null))])}
    </main> `
}

const judgedAgainWords = (how: string): string =>
  `The verdicts are not those of the day of the run: its recorded traffic was later judged again ${how}`

function leftOut(lines: readonly string[]): readonly Markup[] {
  return lines.length === 0 ? [html`<p>Nothing.</p>`] : [list(lines.map(prose))]
}

type Pair = readonly [name: string, value: Hole]

const digest = (value: string): Markup => html`<code>${value}</code>`

function identity({ record }: Run, bundle: VerifiedBundle): readonly Pair[] {
  const { target, contract, tool, run, used } = record
  return [
    ['organization', target.organization],
    ['project, website', [target.project, target.url].filter(Boolean).join(', ') || undefined],
    ['clause set', html`${clauseSetWords(contract)}, SHA-256 ${digest(contract.digest)}`],
    ['target file', target.fileDigest && html`SHA-256 ${digest(target.fileDigest)}`],
    ['tool and suite', html`${tool.name} ${tool.version}, suite SHA-256 ${digest(tool.suite)}`],
    ['run', html`${digest(run.id)}, ${run.profile} profile, seed ${run.seed}`],
    ['judged again', bundle.judgedAgain ?? undefined],
    ['opt-ins', run.optIn.join(', ') || 'none'],
    [
      'time',
      `${clockTime(run.startedAt)}, ${duration(used.wallSeconds)}, ${counted(used.requests, 'request')}`,
    ],
    ['run by', [originLine(record), sourceLine(record)].filter(Boolean).join('; ') || 'not recorded'],
    ['signed with', html`Ed25519, key id ${digest(bundle.keyid)}`],
    ['manifest', html`SHA-256 ${digest(bundle.manifest)}`],
  ]
}

/** For readers who have the run bundle and, from elsewhere, the public key. */
function verification(bundle: VerifiedBundle): readonly Markup[] {
  const lines = [
    'openssl pkey -pubin -in KEY.pub.pem -outform DER | sha256sum   # the key id above',
    'sha256sum BUNDLE/manifest.json   # the manifest above',
    `npx ${bundle.package} verify BUNDLE --key KEY.pub.pem --rejudge   # VERIFIED`,
    ...(bundle.history === null
      ? []
      : [`npx ${bundle.package} log verify LOG --key KEY.pub.pem --head PUBLISHED   # VERIFIED`]),
  ]
  return [
    ...ofFolder(bundle),
    html`<p>With the run bundle, the result itself can be verified:</p>
      <pre>${lines.join('\n')}</pre>`,
  ]
}

/** How the page itself is verified. */
function ofFolder({ signed, package: name }: VerifiedBundle): readonly Markup[] {
  const commands = [
    ...(signed.key ? [`npx ${name} verify FOLDER --key KEY.pub.pem   # test-result.dsse.json`] : []),
    ...(signed.sigstore
      ? [
          `cosign verify-blob-attestation --bundle test-result.sigstore.json --type ${testResultType} \\`,
          '  --certificate-identity JOB --certificate-oidc-issuer ISSUER statement.html',
        ]
      : []),
  ]
  if (commands.length === 0)
    return [
      html`<p>
        Page and badges are not signed. What counts is in statement.dsse.json beside them, which the key above
        signed: compare target, version and result.
      </p>`,
    ]
  return [
    html`<p>
        This page has no signature of its own. The test result beside it is signed and has the digest of every
        file of the folder:
      </p>
      <pre>${commands.join('\n')}</pre>`,
  ]
}
