/** Everything that has a page, as a list; where scripts run, with a field that narrows it. */
import { areaOf, clauses } from '../../../spec/index.ts'
import { html } from '../../html/elements/escape.ts'
import type { Hole, Markup } from '../../html/elements/escape.ts'
import { prose } from '../../html/elements/words.ts'
import { subjectOf } from '../../run/subject.ts'
import { judgedClausesOf } from '../failing-clauses.ts'
import { sitePageOf, type SiteFile } from '../frame.ts'
import { clauseLinkFrom, conformanceOf, day, runLink, targetLink, targetName } from '../phrases.ts'
import { clauseSetLabel } from '../targets.ts'
import { allEntries, type RunsSite } from '../site.ts'

export function searchPage(site: RunsSite): SiteFile {
  return sitePageOf(site, {
    file: 'search.html',
    title: 'Search',
    script,
    content: [
      html`<div id="search"></div>`,
      html`<ul class="found" id="found">
        ${[...targetItems(site), ...versionItems(site), ...clauseItems(site)].map((item) => html`<li>${item}</li>`)}
      </ul>`,
    ],
  })
}

function targetItems({ targets }: RunsSite): readonly Markup[] {
  return targets.map((target) => html`Target ${targetLink(target, '')}`)
}

function versionItems({ targets }: RunsSite): readonly Hole[] {
  return targets.flatMap((target) =>
    target.versions
      .toReversed()
      .map(
        ({ version, newest }) =>
          html`Version ${runLink(newest, version, '')} of ${targetName(target.name)}:
          ${conformanceOf(newest)}, ${day(newest.endedAt)}, ${clauseSetLabel(newest)}`,
      ),
  )
}

function clauseItems(site: RunsSite): readonly Hole[] {
  return judgedClausesOf(allEntries(site)).map(
    (clause) =>
      html`Clause ${clauseLinkFrom(clause, '')}
        <span class="soft">${clauses[clause].level}, ${areaOf[clause]}</span>:
        ${prose(subjectOf(clause).text)}`,
  )
}

/** The field is made here, so that without scripts there is none that does nothing. */
const script = `
const items = [...document.querySelectorAll('#found li')].map((li) => [li, li.textContent.toLowerCase()])
const label = document.createElement('label')
const field = document.createElement('input')
const count = document.createElement('p')
field.type = 'search'
count.setAttribute('role', 'status')
label.append('Words ', field)
document.querySelector('#search').append(label, count)
function narrow() {
  const words = field.value.toLowerCase().split(/\\s+/)
  let shown = 0
  for (const [li, text] of items) {
    li.hidden = !words.every((word) => text.includes(word))
    if (!li.hidden) shown++
  }
  count.textContent = shown + ' of ' + items.length
}
field.addEventListener('input', narrow)
narrow()
`
