/** The whole API documents, each as the page that redocly makes of it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { repository } from './documents.ts'
import { htmlFolder, siteFolder } from './places.ts'
import { apiDocuments } from './reference/api.ts'

/**
 * What redocly has no option for: colours that are too light to read on white, with a darker one of the same hue, and a
 * picture from another host.
 */
const replacements: Readonly<Record<string, string>> = {
  '#25b869': '#187741',
  '#f5c31d': '#7d5f00',
  '#f5901d': '#9c5000',
  '#F0870E': '#9c5000',
  '#ffa02e': '#9c5000',
  '#9b9ca8': '#6a6b76',
  '#1f7cff': '#0b5cd0',
  '#3072db': '#1f58b5',
  'https://cdn.redoc.ly/redoc/logo-mini-full.svg': 'data:,',
}

/** Runs redocly with `run`, for each document. */
export function renderApiDocuments(run: (command: string, words: readonly string[]) => void): void {
  const redocly = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'))
  const template = join(siteFolder, 'api-page.hbs')
  for (const { source, whole } of Object.values(apiDocuments)) {
    const page = join(htmlFolder, whole)
    const words = ['build-docs', join(repository, source), '--inlineBundle', '--template', template]
    run(process.execPath, [redocly, ...words, '--output', page])
    const replaced = Object.entries(replacements).reduce(
      (html, [from, to]) => html.replaceAll(from, to),
      readFileSync(page, 'utf8'),
    )
    writeFileSync(page, replaced)
  }
}
