/** The page: the first screen, links, a summary of two printed pages, and an appendix with all evidence. */
import type { Run } from '../bundle/record.ts'
import { parted } from '../verdicts/apart.ts'
import { clauseRows } from '../verdicts/clause-verdicts.ts'
import type { Beside, Exporter } from '../formats/exporter.ts'
import { rowsOf } from '../verdicts/rows.ts'
import { answerOf } from '../run/scope.ts'
import { allowanceOf } from './sections/allowance.ts'
import { auditorLane } from './sections/auditor.ts'
import { banners } from './sections/banners.ts'
import { developerLane } from './sections/developer.ts'
import { documentOf } from './elements/document.ts'
import { html } from './elements/escape.ts'
import type { Markup } from './elements/escape.ts'
import { exchangeViews } from './sections/exchanges.ts'
import { head } from './sections/head.ts'
import { lanes } from './sections/lanes.ts'
import { prose } from './elements/words.ts'
import { releaseLane } from './sections/release.ts'

export const htmlPage: Exporter = { name: 'html', file: 'report.html', render }

/** Bytes for what a target sent: less than half of a page of one megabyte. */
const mostOfTarget = 380_000

/** What whoever reads the title alone has to know. */
const asides: Readonly<Record<string, string>> = { simulator: ' (simulator run)', client: ' (client)' }

function render(run: Run, beside: Beside = { files: new Set() }): string {
  const { name, kind } = run.record.target
  const title = `${answerOf(run.record).word}: ${name}${asides[kind] ?? ''}`
  return documentOf(title, body(run, beside))
}

function body(run: Run, beside: Beside): Markup {
  const findings = parted(rowsOf(run))
  const clauses = clauseRows(run)
  const allows = allowanceOf(mostOfTarget)
  const from = { run, beside, allows, exchanges: exchangeViews(run, allows) }
  // Failures first: they may take what room there is.
  const developer = developerLane(findings.together, from)
  const main = html`<main id="main">
    ${releaseLane(findings.together, clauses, from)}
    <div class="appendix">
      <h2>Appendix: details and evidence</h2>
      <p class="soft">${prose(run.record.target.name)}, run <code>${run.record.run.id}</code></p>
      ${developer} ${auditorLane(findings, clauses, from)}
    </div>
  </main>`
  const known = { clauses, together: findings.together, changes: beside.changes }
  return html`<a class="skip" href="#main">Skip to the details</a>
    <header>${banners(run, beside)} ${head(run, known)}</header>
    ${lanes(main)} ${main}
    <footer class="soft">
      ${run.record.tool.name} ${run.record.tool.version}, run <code>${run.record.run.id}</code>. This page is
      made from run.json and journal.ndjson, which take precedence.
    </footer>`
}
