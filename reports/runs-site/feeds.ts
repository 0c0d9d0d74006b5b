/** The newest runs as feeds: Atom (RFC 4287) and JSON Feed 1.1. */
import { html, noMarkup } from '../html/elements/escape.ts'
import type { Markup } from '../html/elements/escape.ts'
import { counted } from '../html/elements/words.ts'
import { feedFiles, type SiteFile } from './frame.ts'
import type { RunEntry } from './entry.ts'
import { mustFailuresOf } from './failing-clauses.ts'
import { shortName, reservations, targetName } from './phrases.ts'
import { allEntries, type RunsSite } from './site.ts'
import { byEnd, runFileOf } from './targets.ts'

const mostItems = 50
const feedTitle = 'Conformance runs'

/** `changes`: what changed in a run since an earlier one, by the digest of the run. */
export function feedsOf(site: RunsSite, changes: ReadonlyMap<string, string>): readonly SiteFile[] {
  const items = allEntries(site)
    .toSorted((one, other) => byEnd(other, one))
    .slice(0, mostItems)
    .map((entry) => itemOf(entry, site.url, changes.get(entry.digest)))
  return [
    [feedFiles.atom, atomFeed(site, items)],
    [feedFiles.json, jsonFeed(site, items)],
  ]
}

interface FeedItem {
  id: string
  title: string
  text: string
  /** ISO 8601, UTC. */
  at: string
  /** Of the page; null if it is not known where the site is published. */
  url: string | null
}

function itemOf(entry: RunEntry, url: string | null, changes?: string): FeedItem {
  const { target, version, conformance, gatePassed, endedAt, digest } = entry
  const lines = [
    `${counted(mustFailuresOf(entry).length, 'MUST clause')} failed, ${counted(entry.waived.length, 'failure')} waived.`,
    reservations(entry) && `Limits: ${reservations(entry)}.`,
    changes && `Since the run before it: ${changes}.`,
  ]
  return {
    id: `urn:touchstone:run:${digest}`,
    title: `${targetName(target.name)} ${shortName(version)}: ${conformance}, gate ${gatePassed ? 'passed' : 'failed'}`,
    text: lines.filter(Boolean).join(' '),
    at: new Date(endedAt).toISOString(),
    url: url && new URL(`runs/${runFileOf(entry)}.html`, url).href,
  }
}

function atomFeed({ url, builtAt }: RunsSite, items: readonly FeedItem[]): string {
  const self = url === null ? noMarkup : html`<link rel="self" href="${new URL(feedFiles.atom, url).href}" />`
  const { markup } = html`<?xml version="1.0" encoding="utf-8"?>
    <feed xmlns="http://www.w3.org/2005/Atom">
      <id>${url ?? 'urn:touchstone:runs'}</id>
      <title>${feedTitle}</title>
      <updated>${items[0]?.at ?? builtAt}</updated>
      <author><name>Touchstone</name></author>
      ${self}${items.map(atomEntry)}
    </feed> `
  return withoutNoncharacters(markup)
}

function atomEntry({ id, title, text, at, url }: FeedItem): Markup {
  const link = url === null ? noMarkup : html`<link rel="alternate" href="${url}" />`
  return html`<entry>
    <id>${id}</id>
    <title>${title}</title>
    <updated>${at}</updated>
    ${link}<content type="text">${text}</content>
  </entry> `
}

/** XML has no place for these two, not even escaped. */
const withoutNoncharacters = (text: string): string => text.replaceAll(/[\ufffe\uffff]/g, '\ufffd')

function jsonFeed({ url }: RunsSite, items: readonly FeedItem[]): string {
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title: feedTitle,
    ...(url === null ? {} : { home_page_url: url, feed_url: new URL(feedFiles.json, url).href }),
    items: items.map(({ id, title, text, at, url: page }) => ({
      id,
      ...(page === null ? {} : { url: page }),
      title,
      content_text: text,
      date_published: at,
    })),
  }
  return `${JSON.stringify(feed, null, 2)}\n`
}
