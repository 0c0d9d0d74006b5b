/**
 * One file without scripts, network or anything else outside of itself, for a screen, a phone and paper. Its policy
 * forbids the browser everything but this style sheet, so bytes of a target stay text.
 */
import { createHash } from 'node:crypto'
import { html } from './escape.ts'
import type { Markup } from './escape.ts'
import { style } from './style.ts'

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
        ${sheet}
      </head>
      <body>
        ${body}
      </body>
    </html> `
  return markup
}

// As one piece: the policy names the digest of exactly these characters.
const sheet: Markup = { markup: `<style>${style}</style>` }

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')
