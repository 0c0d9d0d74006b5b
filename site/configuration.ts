/** What VitePress is given: the text comes from pages.ts, the order from navigation.ts. */
import { readFileSync } from 'node:fs'
import { pageFolder, siteBase } from './places.ts'
import { sections } from './navigation.ts'
import { headingOf } from './pages.ts'

const titleFor = (page: string): string => headingOf(readFileSync(`${pageFolder}/${page}.md`, 'utf8'))

const sidebar = sections.map(({ title, pages }) => ({
  text: title,
  items: pages.map((page) => ({ text: titleFor(page), link: `/${page.replace(/index$/, '')}` })),
}))

const nav = sections.slice(1, 5).map(({ title, pages: [first = ''] }) => ({ text: title, link: `/${first}` }))

interface Token {
  readonly content: string
}

/** The part of markdown-it that is used here. */
interface MarkdownIt {
  readonly renderer: { readonly rules: Record<string, unknown> }
  readonly utils: { escapeHtml(text: string): string }
}

/** Vue is to find no templates in what is only text. */
function withoutTemplates({ renderer, utils }: MarkdownIt): void {
  const literal = (text = ''): string => utils.escapeHtml(text).replaceAll('{{', '&#123;&#123;')
  const { rules } = renderer
  rules['text'] = (tokens: readonly Token[], at: number) => literal(tokens[at]?.content)
  rules['code_inline'] = (tokens: readonly Token[], at: number) =>
    `<code>${literal(tokens[at]?.content)}</code>`
}

/** Leaves away what is too faint to read, or named otherwise than it looks. */
const style = '.vp-doc [class*=language-]>span.lang,.DocSearch-Button .DocSearch-Button-Keys{display:none}'

export default {
  title: 'Touchstone',
  description: 'Contract tests and a conformance simulator for the chat, operations and webhook API.',
  lang: 'en',
  base: siteBase,
  srcDir: 'dist/pages',
  outDir: 'dist/html',
  cacheDir: 'dist/cache',
  head: [['style', {}, style]],
  markdown: {
    config: withoutTemplates,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    search: { provider: 'local' },
    sidebar,
    nav,
    outline: [2, 3],
    docFooter: { prev: false, next: false },
  },
}
