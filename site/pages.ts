/** Every page of the site by its path, as Markdown. */
import { documentPages, type Pages } from './documents.ts'
import { apiPages } from './reference/api.ts'
import { clausePages } from './reference/clauses.ts'
import { commandPages } from './reference/commands.ts'
import { errorsPage } from './reference/errors.ts'
import { gapsPage } from './reference/gaps.ts'
import { targetPage } from './reference/target-file.ts'

export function sitePages(): Pages {
  return {
    ...documentPages(),
    ...commandPages(),
    ...apiPages(),
    ...clausePages(),
    'reference/target-file.md': targetPage(),
    'reference/errors.md': errorsPage(),
    'reference/gaps.md': gapsPage(),
  }
}

/** The first heading of a page, without markup. */
export function headingOf(text: string): string {
  const [, title = ''] = /^# (.+)$/m.exec(text) ?? []
  return title.replaceAll('`', '')
}

/** The first sentences that are neither heading, link, table nor code. */
export function leadOf(text: string): string {
  const blocks = text.replaceAll(/^(`{3,})[^]*?^\1$/gm, '').split(/\n{2,}/)
  const lead = blocks.find((block) => /^[A-Z_*`]/.test(block)) ?? ''
  return lead.replaceAll('\n', ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
}
