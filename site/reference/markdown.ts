/** Markdown as VitePress reads it: what tables and headings of generated pages are written with. */

/** Text in one line, in which only code spans are markup. */
export const markdownText = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('<', '&lt;')))
    .join('')
    .replaceAll('\n', ' ')

export const codeSpan = (text: string): string => `\`${text}\``

/** A table without padding: nobody reads the source of a generated page. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** The anchor of a name: lower case, with dashes. */
export const anchorOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** A heading whose anchor is that of the name, whatever VitePress would make of the title. */
export const anchored = (level: number, title: string, name: string): string =>
  `${'#'.repeat(level)} ${title} {#${anchorOf(name)}}`

/** Parts of a page, with an empty line between. */
export const paragraphs = (parts: readonly string[]): string =>
  `${parts.filter((part) => part !== '').join('\n\n')}\n`

export const fenced = (language: string, text: string): string =>
  `\`\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\``
