/** Text of several lines, as it is written. */
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
        rows={Math.min(12, value.split('\n').length)}
        spellcheck={false}
        placeholder={hint}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  )
}
