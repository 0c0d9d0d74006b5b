/** One badge, as the JSON that shields.io reads from a URL (https://shields.io/badges/endpoint-badge) and as SVG. */
import { html } from '../html/elements/escape.ts'
import { visibleLine } from '../visible.ts'
import type { Tone } from '../verdicts/verdicts.ts'

export interface Badge {
  label: string
  message: string
  tone: Tone
}

/** White text on each has a contrast of at least 4.5. */
const colours: Readonly<Record<Tone, string>> = {
  good: '#116329',
  bad: '#b3131f',
  doubt: '#7d4e00',
  quiet: '#57606a',
}

export function badgeJson({ label, message, tone }: Badge): string {
  const color = colours[tone].slice(1)
  return `${JSON.stringify({ schemaVersion: 1, label: visibleLine(label), message: visibleLine(message), color })}\n`
}

/** Pixels of an average character at 11 px; `textLength` fits the rest. */
const character = 6.4
const padding = 6

export function badgeSvg({ label, message, tone }: Badge): string {
  const widths = [label, message].map(
    (text) => Math.round(visibleLine(text).length * character) + 2 * padding,
  )
  const [left = 0, right = 0] = widths
  const text = (words: string, x: number, width: number) =>
    html`<text x="${x + padding}" y="14" textLength="${width - 2 * padding}">${visibleLine(words)}</text>`
  const { markup } = html`<svg
    xmlns="http://www.w3.org/2000/svg"
    width="${left + right}"
    height="20"
    role="img"
    aria-label="${`${label}: ${message}`}"
  >
    <clipPath id="round"><rect width="${left + right}" height="20" rx="3" /></clipPath>
    <g clip-path="url(#round)">
      <rect width="${left}" height="20" fill="#24292f" />
      <rect x="${left}" width="${right}" height="20" fill="${colours[tone]}" />
    </g>
    <g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
      ${text(label, 0, left)}${text(message, left, right)}
    </g>
  </svg> `
  return markup
}
