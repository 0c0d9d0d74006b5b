/**
 * One file without network or anything else outside of itself, for a screen, a phone and paper. Its policy forbids the
 * browser everything but the style sheets and the script that are given here, so bytes of a target stay text.
 */
import { createHash } from 'node:crypto'
import { html, noMarkup } from './escape.ts'
import type { Markup } from './escape.ts'
import { style } from './style.ts'

export interface DocumentParts {
  /** Into the head, such as links to feeds. */
  head?: Markup
  /** A style sheet beside that of all pages. */
  style?: string
  /** What the page does more where scripts run; absent: no script runs. */
  script?: string
}

/** `body`: the content of the element of that name. */
export function documentOf(title: string, body: Markup, parts: DocumentParts = {}): string {
  const { head = noMarkup, script } = parts
  const sheets = [style, ...(parts.style === undefined ? [] : [parts.style])]
  const { markup } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policyOf(sheets, script)}" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        ${sheets.map((sheet) => asWritten(`<style>${sheet}</style>`))}${head}
      </head>
      <body>
        ${body}${script === undefined ? noMarkup : asWritten(`<script>${script}</script>`)}
      </body>
    </html> `
  return markup
}

// As one piece: the policy names the digest of exactly these characters.
const asWritten = (markup: string): Markup => ({ markup })

function policyOf(sheets: readonly string[], script: string | undefined): string {
  return [
    "default-src 'none'",
    `style-src ${sheets.map(digestOf).join(' ')}`,
    ...(script === undefined ? [] : [`script-src ${digestOf(script)}`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

function digestOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
