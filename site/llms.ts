/** llms.txt: the pages of the site with what each is about, for programs that read text. */
import type { Pages } from './documents.ts'
import { sections } from './navigation.ts'
import { leadOf, headingOf } from './pages.ts'
import { paragraphs } from './reference/markdown.ts'

export function llmsText(pages: Pages, base: string): string {
  const line = (page: string): string => {
    const text = pages[`${page}.md`] ?? ''
    const [lead = ''] = /^.*?[.:](?= |$)/.exec(leadOf(text)) ?? []
    return `- [${headingOf(text)}](${base}${page}.md)${lead === '' ? '' : `: ${lead}`}`
  }
  return paragraphs([
    '# Touchstone',
    `> ${leadOf(pages['index.md'] ?? '')}`,
    ...sections.flatMap(({ title, pages: own }) => [`## ${title}`, own.map(line).join('\n')]),
  ])
}
