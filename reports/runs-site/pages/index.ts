/** Every page that needs no record of a run, one after the other. */
import { judgedClausesOf } from '../failing-clauses.ts'
import type { SiteFile } from '../frame.ts'
import { allEntries, type RunsSite } from '../site.ts'
import { clausePage, clausesPage } from './clauses.ts'
import { comparePage } from './compare.ts'
import { notCountedPage } from './not-counted.ts'
import { overviewPage } from './overview.ts'
import { searchPage } from './search.ts'
import { targetHistoryPage } from './target.ts'
import { waiversPage } from './waivers.ts'

export function* pagesOf(site: RunsSite): Generator<SiteFile> {
  for (const target of site.targets) {
    yield targetHistoryPage(site, target)
    yield comparePage(site, target)
  }
  for (const clause of judgedClausesOf(allEntries(site))) yield clausePage(site, clause)
  yield clausesPage(site)
  yield waiversPage(site)
  yield notCountedPage(site)
  yield searchPage(site)
  yield overviewPage(site)
}
