/** Small pieces of text that several pages of a site of runs share. */
import { clipped } from '../chart/wording.ts'
import { html, noMarkup } from '../html/elements/escape.ts'
import type { Markup } from '../html/elements/escape.ts'
import { signed } from '../html/elements/words.ts'
import { conformanceWords } from '../verdicts/verdicts.ts'
import { clauseStates, type ClauseState } from './clause-states.ts'
import type { RunEntry } from './entry.ts'
import { runFileOf, type TargetHistory } from './targets.ts'

const mostOfName = 80

const mostOfReason = 300

/** What a run says of its target may be of any length. */
export const shortName = (text: string): string => clipped(text, mostOfName)

/** A name of a target is never nothing: links and headings are made of it. */
export const targetName = (name: string): string => shortName(name).trim() || '(no name)'

/** Of what is wrong with a bundle, or with a waiver for it, in words. */
export const shortReason = (text: string): string => clipped(text, mostOfReason)

export const day = (iso: string): string => iso.slice(0, 10)

export function conformanceOf({ conformance }: Pick<RunEntry, 'conformance'>): Markup {
  const { sign, word, tone } = conformanceWords[conformance]
  return signed(sign, word, tone)
}

const narrow = { shard: 'one shard', selection: 'a selection', profile: 'smoke profile' } as const

/** A pass of less than a whole run is never green. */
export function gateWord({ gatePassed, narrowed }: Pick<RunEntry, 'gatePassed' | 'narrowed'>): Markup {
  if (!gatePassed) return signed('✗', 'failed', 'bad')
  return narrowed === null
    ? signed('✓', 'passed', 'good')
    : signed('–', `passed by ${narrow[narrowed]} only`, 'quiet')
}

/** What is to be known of a run beside its answers; empty of a whole one that was verified in every part. */
export function reservations({ narrowed, lifecycle, inPart }: RunEntry): string {
  const notes = [
    narrowed === null ? '' : narrow[narrowed],
    lifecycle === 'finished' ? '' : lifecycle,
    inPart === null ? '' : 'verified in part',
  ]
  return notes.filter((note) => note !== '').join(', ')
}

export function reserved(entry: RunEntry): Markup {
  const words = reservations(entry)
  return words === '' ? noMarkup : html` <span class="soft">(${words})</span>`
}

export function stateWords(state: ClauseState): Markup {
  const { sign, word, tone } = clauseStates[state]
  return signed(sign, word, tone)
}

/** `up`: leads from the page to the top of the site. */
export function runLink(entry: RunEntry, words: string, up: string): Markup {
  return html`<a href="${up}runs/${runFileOf(entry)}.html">${shortName(words)}</a>`
}

export function targetLink({ file, name, kind }: TargetHistory, up: string): Markup {
  return html`<a href="${up}targets/${file}.html">${targetName(name)}</a> <span class="soft">(${kind})</span>`
}

export function clauseLinkFrom(clause: string, up: string): Markup {
  return html`<a href="${up}clauses/${clause}.html"><code>${clause}</code></a>`
}
