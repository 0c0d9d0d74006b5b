/** What a person presses, fills in or chooses. */
import type { AllHTMLAttributes } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { notify } from '../state/notices.ts'

export interface ButtonProps {
  readonly shown: string
  readonly onClick?: () => unknown
  readonly type?: 'button' | 'submit'
  readonly class?: string
  readonly disabled?: boolean
  readonly 'aria-label'?: string
  readonly 'aria-pressed'?: boolean
}

export const Button = ({ shown, onClick, type = 'button', ...attributes }: ButtonProps) => (
  <button type={type} {...attributes} onClick={() => void onClick?.()}>
    {shown}
  </button>
)

interface InputProps extends Omit<AllHTMLAttributes<HTMLInputElement>, 'onChange' | 'label' | 'class'> {
  /** Without one, it needs a name for those who do not see it. */
  readonly label?: string
  readonly class?: string
  readonly onChange: (text: string) => unknown
}

export const Input = ({ label, class: place = '', onChange, ...attributes }: InputProps) => (
  <label class={`pair ${place}`}>
    {label}
    <input {...(attributes as object)} onInput={(event) => void onChange(event.currentTarget.value)} />
  </label>
)

export const Check = (props: { label: string; checked: boolean; onChange: (on: boolean) => unknown }) => (
  <label>
    <input
      type="checkbox"
      checked={props.checked}
      onChange={(event) => void props.onChange(event.currentTarget.checked)}
    />{' '}
    {props.label}
  </label>
)

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly hint?: string
}

export function Field({ label, value, onChange, hint = '' }: FieldProps) {
  return (
    <label class="field">
      {label}
      <textarea
        class="wide mono"
        rows={Math.min(12, value.split('\n').length + Math.floor(value.length / 100))}
        spellcheck={false}
        placeholder={hint}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  )
}

export interface ConfirmProps {
  readonly shown: string
  readonly question: string
  readonly disabled?: boolean
  readonly onConfirm: () => void
}

export function Confirm({ shown, question, disabled = false, onConfirm }: ConfirmProps) {
  const [asks, setAsks] = useState(false)
  const keep = useRef<HTMLButtonElement>(null)
  // The focus stays here, on the button that changes nothing.
  useEffect(() => (asks ? keep.current?.focus() : undefined), [asks])
  if (!asks) return <Button shown={shown} disabled={disabled} onClick={() => setAsks(true)} />
  const confirm = (): void => {
    setAsks(false)
    onConfirm()
  }
  return (
    <span class="row" role="group" aria-label={question}>
      <span>{question}</span>
      <Button shown={`Yes, ${shown.toLowerCase()}`} onClick={confirm} />
      <button type="button" ref={keep} onClick={() => setAsks(false)}>
        Cancel
      </button>
    </span>
  )
}

/** `label`: what is copied, for those who do not see where the button stands. */
export interface CopyProps {
  readonly text: string | (() => string)
  readonly label: string
  readonly shown?: string
}

export function Copy({ text, label, shown = 'Copy' }: CopyProps) {
  const [copied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
      setCopied(true)
      setTimeout(() => setCopied(false), 1_500)
    } catch {
      notify('The browser does not let this page copy: select the text instead.', true)
    }
  }
  return (
    <Button
      shown={copied ? 'Copied' : shown}
      class="copy"
      aria-label={`Copy ${label}`}
      onClick={() => copy()}
    />
  )
}

export interface SelectProps<V extends string> {
  readonly label: string
  readonly value: V
  /** What is shown for each value, in this order. */
  readonly options: Readonly<Record<V, string>> | ReadonlyMap<V, string>
  readonly onChange: (value: V) => void
}

/** Numbers would come first in an object. */
const entriesOf = <V extends string>(
  options: SelectProps<V>['options'],
): readonly (readonly [string, string])[] => (options instanceof Map ? [...options] : Object.entries(options))

export function Select<V extends string>({ label, value, options, onChange }: SelectProps<V>) {
  const id = useId()
  return (
    <span class="pair">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value as V)}>
        {entriesOf(options).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </span>
  )
}

export const sameNames = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, name]))
