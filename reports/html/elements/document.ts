/**
 * One file without network or anything else outside of itself, for a screen, a phone and paper. Its policy forbids the
 * browser everything but the style sheet, so bytes of a target stay text.
 */
import { createHash } from 'node:crypto'
import { html } from './escape.ts'
import type { Markup } from './escape.ts'
import { style } from './style.ts'

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')
// As one piece: the policy names the digest of exactly these characters.
const asWritten: Markup = { markup: `<style>${style}</style>` }

/** `body`: the content of the element of that name. */
export function documentOf(title: string, body: Markup): string {
  const { markup } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        ${asWritten}
      </head>
      <body>
        ${body}
      </body>
    </html> `
  return markup
}
