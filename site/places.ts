/** Folders that a build writes; none of them is committed. */
import { fileURLToPath } from 'node:url'

const inSite = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

export const siteFolder = inSite('.')
/** Markdown of every page. */
export const pageFolder = inSite('dist/pages')
/** The finished site. */
export const htmlFolder = inSite('dist/html')

/** The path below which the site is served, with a slash at both ends. */
export const siteBase = process.env['SITE_BASE'] ?? '/'
