/** A site of static pages from many verified runs. */
export { runEntryOf, type UncountedBundle, type RunEntry } from './entry.ts'
export { feedsOf } from './feeds.ts'
export type { SiteFile } from './frame.ts'
export { runPage, type ChangesSince } from './pages/run.ts'
export { siteOf, type RunsSite } from './site.ts'
export { pagesOf } from './pages/index.ts'
