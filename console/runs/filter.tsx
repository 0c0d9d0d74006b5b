/** Fields above a list: each is a part of the address, so that a filtered list can be linked to. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { place } from '../state/place.ts'
import { setFilter } from './address.ts'

/** The server is asked when typing has paused. */
const pauseMs = 200

export function TextFilter({ name, label, hint }: { name: string; label: string; hint: string }) {
  const stated = place.value.query.get(name) ?? ''
  const [text, setText] = useState(stated)
  const askedRef = useRef(stated)
  useEffect(() => {
    // A link has another text, and what is typed meanwhile stays.
    if (stated === askedRef.current) return
    askedRef.current = stated
    setText(stated)
  }, [stated])
  useEffect(() => {
    if (text === askedRef.current) return undefined
    const timer = setTimeout(() => {
      askedRef.current = text
      setFilter(name, text)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [name, text])
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={hint}
      value={text}
      onInput={({ currentTarget: { value } }) => setText(value)}
    />
  )
}

interface ChoiceProps {
  readonly name: string
  readonly label: string
  /** Value and words; the first has no value. */
  readonly options: readonly (readonly [value: string, words: string])[]
}

export function ChoiceFilter({ name, label, options }: ChoiceProps) {
  const value = place.value.query.get(name) ?? ''
  const known = options.some(([option]) => option === value)
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
      {!known && <option value={value}>{value}</option>}
    </select>
  )
}
