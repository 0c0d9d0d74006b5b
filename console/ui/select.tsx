/** A choice among named values. */
import { useId } from 'preact/hooks'

export interface SelectProps<V extends string> {
  readonly label: string
  readonly value: V
  /** What is shown for each value, in this order. */
  readonly options: Readonly<Record<V, string>>
  readonly onChange: (value: V) => void
}

export function Select<V extends string>({ label, value, options, onChange }: SelectProps<V>) {
  const id = useId()
  return (
    <span class="pair">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value as V)}>
        {Object.entries<string>(options).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </span>
  )
}

/** Values that are shown as they are. */
export const sameNames = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, name]))
