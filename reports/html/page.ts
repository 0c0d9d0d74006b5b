/**
 * The page: one file without scripts, network or anything else outside of itself, for a screen, a phone and
 * paper. Its policy forbids the browser everything but this style sheet, so bytes of a target stay text.
 */
import { createHash } from 'node:crypto'
import type { Run } from '../../suites/record.ts'
import { parted } from '../apart.ts'
import { clauseRows } from '../clause-verdicts.ts'
import type { Beside, Exporter } from '../exporter.ts'
import { rowsOf } from '../rows.ts'
import { conformanceWords } from '../verdicts.ts'
import { allowanceOf } from './allowance.ts'
import { auditorLane } from './auditor.ts'
import { banners } from './banners.ts'
import { developerLane } from './developer.ts'
import { html } from './escape.ts'
import type { Markup } from './escape.ts'
import { shelfOf } from './exchanges.ts'
import { head } from './head.ts'
import { lanes } from './lanes.ts'
import { releaseLane } from './release.ts'
import { style } from './style.ts'

export const htmlPage: Exporter = { name: 'html', file: 'report.html', render }

/** Bytes for what a target sent: more than as much again is left for what we say of it. */
const mostOfTarget = 800_000

function render(run: Run, beside: Beside = { files: new Set() }): string {
  const simulated = run.record.target.kind === 'simulator' ? ' (simulator run)' : ''
  const title = `${conformanceWords[run.record.conformance].word}: ${run.record.target.name}${simulated}`
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
      ${body(run, beside)}
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

function body(run: Run, beside: Beside): Markup {
  const findings = parted(rowsOf(run))
  const clauses = clauseRows(run)
  const allows = allowanceOf(mostOfTarget)
  const from = { run, beside, allows, shelf: shelfOf(run, allows) }
  // Failures first: they may take what room there is.
  const developer = developerLane(findings.together, from)
  const main = html`<main id="main">
    ${releaseLane(findings.together, from)} ${developer} ${auditorLane(findings, clauses, from)}
  </main>`
  return html`<body>
    <a class="skip" href="#main">Skip to the details</a>
    <header>${banners(run, beside)} ${head(run, clauses, findings.together)}</header>
    ${lanes(main)} ${main}
    <footer class="soft">
      ${run.record.tool.name} ${run.record.tool.version}, run <code>${run.record.run.id}</code>. This page is
      made from run.json and journal.ndjson; they are what counts.
    </footer>
  </body>`
}
