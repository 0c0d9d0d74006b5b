/**
 * The page: one file without scripts, network or anything else outside of itself, for a screen, a phone and
 * paper. Its policy forbids the browser everything but this style sheet, so bytes of a target stay text.
 */
import { createHash } from 'node:crypto'
import type { Finding, Run, RunRecord } from '../../suites/record.ts'
import { apartMeans, apartTitle, parted } from '../apart.ts'
import { caveats } from '../caveats.ts'
import type { Beside, Exporter } from '../exporter.ts'
import { groupsOf } from '../not-exercised.ts'
import { rowsOf } from '../rows.ts'
import { subjectOf } from '../subject.ts'
import { conformanceWords } from '../verdicts.ts'
import { shorten } from '../visible.ts'
import { cards } from './cards.ts'
import { html, nothing } from './escape.ts'
import type { Markup } from './escape.ts'
import { head } from './head.ts'
import { counts, legend, matrix } from './matrix.ts'
import { style } from './style.ts'
import { list, prose, section } from './words.ts'

export const htmlPage: Exporter = { name: 'html', file: 'report.html', render }

function render(run: Run, beside: Beside = { files: new Set() }): string {
  const rows = rowsOf(run)
  const title = `${conformanceWords[run.record.conformance].word}: ${run.record.target.name}`
  const { markup } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        ${sheet}
      </head>
      <body>
        ${banner(run.record)}
        <main>${head(run)} ${sections(rows, run, beside)}</main>
      </body>
    </html> `
  return markup
}

// As one piece: the policy names the digest of exactly these characters.
const sheet: Markup = { markup: `<style>${style}</style>` }

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

function banner({ target }: RunRecord): Markup {
  if (target.kind !== 'simulator') return nothing
  return html`<p class="banner"><strong>Simulator run.</strong> It says nothing about the live service.</p> `
}

function sections(all: readonly Finding[], run: Run, beside: Beside): readonly Markup[] {
  const { together: rows, apart } = parted(all)
  const only = (...verdicts: readonly string[]) => rows.filter(({ verdict }) => verdicts.includes(verdict))
  return [
    // What is broken comes first: it is what most readers open the page for.
    section('failures', 'Failures', cards(only('fail', 'error'), run, beside)),
    section('counts', 'Counts', [counts(rows), legend(rows)]),
    section('warnings', 'Warnings', cards(only('warn'), run, beside)),
    section('inconclusive', 'Inconclusive', cards(only('inconclusive'), run, beside)),
    section('not-exercised', 'Not exercised, and why', notExercised(rows)),
    section('clauses', 'Clauses by area', matrix(rows, run)),
    section('observed', 'What was seen where the contract is silent', observations(only('observed'))),
    section('apart', apartTitle, judgedApart(apart, run, beside)),
    section('limits', 'What this report does not prove', [list(caveats(run.record))]),
  ]
}

function judgedApart(rows: readonly Finding[], run: Run, beside: Beside): readonly Markup[] {
  if (rows.length === 0) return []
  const wrong = rows.filter(({ verdict }) => ['fail', 'error', 'warn', 'inconclusive'].includes(verdict))
  const only = { ...run, record: { ...run.record, uncovered: [] } }
  return [
    html`<p>${apartMeans}</p>`,
    counts(rows),
    ...cards(wrong, run, beside),
    ...notExercised(rows),
    ...matrix(rows, only),
    ...observations(rows.filter(({ verdict }) => verdict === 'observed')),
  ]
}

function notExercised(rows: readonly Finding[]): readonly Markup[] {
  return groupsOf(rows).map(({ says, provide, findings, details }) => {
    const ids = findings.map(({ subject }) => subject)
    return html`<div class="card">
      <h3>${says}</h3>
      <p>${prose(provide)}</p>
      ${details.length > 0 ? list(details.map(prose)) : nothing}
      <details>
        <summary>${findings.length} checks</summary>
        <p><code>${[...new Set(ids)].join(' ')}</code></p>
      </details>
    </div> `
  })
}

function observations(rows: readonly Finding[]): readonly Markup[] {
  if (rows.length === 0) return []
  const row = (finding: Finding) =>
    html`<tr>
      <th scope="row"><code>${finding.subject}</code></th>
      <td>${prose(subjectOf(finding.subject).text)}</td>
      <td>${prose(shorten(finding.detail ?? finding.got ?? '', 500))}</td>
    </tr> `
  return [
    html`<table class="clauses">
      <caption>
        Recorded, never judged
      </caption>
      <thead>
        <tr>
          <th scope="col">id</th>
          <th scope="col">question</th>
          <th scope="col">seen</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(row)}
      </tbody>
    </table>`,
  ]
}
