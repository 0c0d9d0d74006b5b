/** Run bundles that count for nothing, and why. */
import { html, noMarkup } from '../../html/elements/escape.ts'
import { wordTable } from '../../html/elements/table.ts'
import { list } from '../../html/elements/words.ts'
import { sitePageOf, type SiteFile } from '../frame.ts'
import { shortReason } from '../phrases.ts'
import type { RunsSite } from '../site.ts'

const mostProblems = 5
const mostRows = 500

export function notCountedPage(site: RunsSite): SiteFile {
  const { notCounted } = site
  const rest = notCounted.length - mostRows
  return sitePageOf(site, {
    file: 'not-counted.html',
    title: 'Bundles that count for nothing',
    content:
      notCounted.length === 0
        ? html`<p>Every bundle in the folder was verified.</p>`
        : [
            html`<p>
              Nothing on the other pages depends on these. <code>touchstone verify BUNDLE</code> says more of
              each.
            </p>`,
            wordTable(
              rest > 0 ? `The first ${mostRows} of ${notCounted.length}` : 'By folder',
              ['bundle', 'reason'],
              notCounted.slice(0, mostRows).map(({ place, why, problems }) => ({
                head: html`<code>${place}</code>`,
                cells: [[shortReason(why), problems.length === 0 ? noMarkup : list(shownOf(problems))]],
              })),
            ),
          ],
  })
}

function shownOf(problems: readonly string[]): readonly string[] {
  const rest = problems.length - mostProblems
  return [...problems.slice(0, mostProblems).map(shortReason), ...(rest > 0 ? [`and ${rest} more`] : [])]
}
