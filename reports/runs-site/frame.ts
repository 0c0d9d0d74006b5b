/** What all pages of a site of runs have: the way around, what was verified, links to the feeds. */
import { clockTime } from '../duration.ts'
import { documentOf, type DocumentParts } from '../html/elements/document.ts'
import { html, noMarkup } from '../html/elements/escape.ts'
import type { Hole, Markup } from '../html/elements/escape.ts'
import { counted } from '../html/elements/words.ts'
import { banner } from '../html/sections/banners.ts'
import type { RunsSite } from './site.ts'

export const feedFiles = { atom: 'feed.xml', json: 'feed.json' } as const

const pages = [
  ['index.html', 'Targets'],
  ['clauses.html', 'Clauses'],
  ['waivers.html', 'Waivers'],
  ['not-counted.html', 'Not counted'],
  ['search.html', 'Search'],
] as const

const style = `
.around{display:flex;flex-wrap:wrap;gap:.1rem 1.25rem;margin:0 0 1.25rem;padding:0 0 .5rem;border-bottom:1px solid var(--line)}
.around [aria-current]{font-weight:600;color:var(--ink);text-decoration:none}
.pick{margin:.5rem 0 1rem;padding:.5rem .75rem;border:1px solid var(--line);border-radius:.4rem}
.pick label{display:inline-block;margin:.1rem 1rem .1rem 0;padding:.2rem 0}
.chart text{stroke-width:7px}
.compared th,.compared td{white-space:nowrap}
.compared :is(th,td):first-child{position:sticky;left:0;background:var(--page);white-space:normal;min-width:9rem}
.found{list-style:none;padding:0}.found li{padding:.15rem 0}
input[type=search]{font:inherit;width:min(100%,30rem);padding:.4rem .6rem;color:inherit;background:var(--page);
border:1px solid var(--soft);border-radius:.4rem}
@media print{.around,.pick{display:none}.lane{margin-top:1.5rem}.lane+.lane{break-before:auto}}
`

export interface SitePage extends DocumentParts {
  /** Of the page, with its folder. */
  file: string
  title: string
  content: Hole
}

/** A file of the site, with its name. */
export type SiteFile = readonly [file: string, content: string]

export function sitePageOf(site: RunsSite, { file, title, content, ...parts }: SitePage): SiteFile {
  const up = file.includes('/') ? '../' : ''
  const body = html`<a class="skip" href="#content">To the content</a>
    <nav class="around" aria-label="Pages">
      ${pages.map(([page, words]) => linkTo(page, words, page === file, up))}
    </nav>
    ${unverified(site)}
    <main id="content">
      <h1>${title}</h1>
      ${content}
    </main>
    <footer class="soft">
      <p>${verifiedWords(site)} Built ${clockTime(site.builtAt)}.</p>
      <p><a href="${up}${feedFiles.atom}">Atom feed</a>, <a href="${up}${feedFiles.json}">JSON Feed</a></p>
    </footer>`
  return [
    file,
    documentOf(title, body, { ...parts, head: feedLinks(up), style: style + (parts.style ?? '') }),
  ]
}

function linkTo(page: string, words: string, isHere: boolean, up: string): Markup {
  return html`<a href="${up}${page}" ${isHere ? html` aria-current="page"` : noMarkup}>${words}</a>`
}

function feedLinks(up: string): Markup {
  return html`<link rel="alternate" type="application/atom+xml" href="${up}${feedFiles.atom}" />
    <link rel="alternate" type="application/feed+json" href="${up}${feedFiles.json}" />`
}

/** Without a key, whoever can write into the folder can make a run that says anything. */
function unverified({ keys }: RunsSite): Markup {
  if (keys.length > 0) return noMarkup
  return banner(
    'Signatures were not checked.',
    'No key was given when these pages were built. Each run is unaltered since it was sealed, and anybody could have sealed it.',
  )
}

function verifiedWords({ keys, rejudged, notCounted }: RunsSite): Markup {
  const signed =
    keys.length === 0
      ? html`Each run was verified without a key: nothing shows who made it.`
      : html`Each run was verified with the signature of ${keys.length === 1 ? 'the key' : 'one of the keys'}
        ${keys.map((key, index) => [index === 0 ? '' : ', ', html`<code>${key}</code>`])}.`
  const verdicts = rejudged ? ' Its verdicts were computed again from its journal.' : ''
  const rest =
    notCounted.length === 0
      ? ''
      : ` ${counted(notCounted.length, 'bundle')} could not be, and counts for nothing.`
  return html`${signed}${verdicts}${rest}`
}
