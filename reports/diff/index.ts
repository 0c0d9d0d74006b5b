/** What changed from one run to the next, rendered as text, Markdown and HTML. */
import type { Comparison } from './compare.ts'
import { renderDiffMarkdown } from './markdown.ts'
import { renderDiffPage } from './page.ts'
import { renderDiffText } from './text.ts'
import type { DiffTextOptions } from './text.ts'

export { compare } from './compare.ts'
export type { Comparison } from './compare.ts'
export { changedAnswerOf as answerOf, countsOf } from './words.ts'

const forms = {
  text: renderDiffText,
  markdown: renderDiffMarkdown,
  html: renderDiffPage,
  json: (comparison: Comparison) => `${JSON.stringify(comparison, null, 2)}\n`,
} as const

export function renderDiff(
  comparison: Comparison,
  format: keyof typeof forms,
  options: DiffTextOptions,
): string {
  return forms[format](comparison, options)
}
