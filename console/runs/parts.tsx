/** What the views of a run share: verdicts, facts, filters, and a list beside the entry that is open. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { verdictWords, type VerdictWords } from '../../reports/verdicts/verdicts.ts'
import { place } from '../state/place.ts'
import { Badge } from '../ui/panel.tsx'
import { filter, setFilter } from './run.ts'

type Words = Pick<VerdictWords, 'sign' | 'word' | 'tone'>
export type Verdict = keyof typeof verdictWords

/** A sign and a word, never a colour alone. */
export function WordsBadge({ words: { sign, word, tone } }: { words: Words }) {
  return (
    <Badge tone={tone}>
      <span aria-hidden="true">{sign}</span> {word}
    </Badge>
  )
}

/** For dense lists: the sign, with the word for those who do not see it. */
export function VerdictSign({ verdict }: { verdict: Verdict }) {
  const { sign, word, tone } = verdictWords[verdict]
  return (
    <span class={`sign ${tone}`} title={word}>
      <span aria-hidden="true">{sign}</span>
      <span class="unseen">{word}</span>
    </span>
  )
}

/** Names and values; those without a value are left out. */
export function Facts({ facts }: { facts: Readonly<Record<string, string | null | undefined>> }) {
  return (
    <dl>
      {Object.entries(facts).map(
        ([name, value]) =>
          value && (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          ),
      )}
    </dl>
  )
}

/** Our own sentences: what stands in backticks is code. */
export function Prose({ text }: { text: string }) {
  return <>{text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>
}

interface FilterProps {
  /** Of the filter in the address, so that a filtered list can be linked to. */
  readonly name: string
  readonly label: string
}

export function TextFilter({ name, label }: FilterProps) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={filter(name)}
      onInput={({ currentTarget: { value } }) => setFilter(name, value)}
    />
  )
}

/** `options`: value and words; the first has no value. */
export function ChoiceFilter({
  name,
  label,
  options,
}: FilterProps & { readonly options: readonly (readonly [value: string, words: string])[] }) {
  const value = filter(name)
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => setFilter(name, currentTarget.value)}
    >
      {options.map(([option, words]) => (
        <option key={option} value={option}>
          {words}
        </option>
      ))}
    </select>
  )
}

/** A list and the entry that is open, side by side; on a narrow window one of them. */
export function Split({ list, entry }: { list: ComponentChildren; entry: ComponentChildren }) {
  return (
    <div class={place.value.item === '' ? 'browse' : 'browse opened'}>
      <div class="browse-list">{list}</div>
      <div class="browse-entry">{entry}</div>
    </div>
  )
}

/** The heading of an entry takes the focus, so that a keyboard or a screen reader goes on there. */
export function EntryHead({ back, children }: { back: string; children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <>
      <a class="back" href={back}>
        ← back to the list
      </a>
      <h2 ref={heading} tabIndex={-1} class="head">
        {children}
      </h2>
    </>
  )
}

export const milliseconds = (ms: number): string =>
  ms < 10_000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1_000).toFixed(1)} s`

export const byteCount = (count: number): string =>
  count < 10_000 ? `${count} B` : `${(count / 1_000).toFixed(0)} kB`
