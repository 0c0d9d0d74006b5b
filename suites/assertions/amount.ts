/** Amounts in bodies whose types the contract does not show: a number, or the text of one. */
const decimal = /^[+-]?\d+(?:\.\d+)?$/

/** Null where it is neither. */
export function amountOf(value: unknown): number | null {
  if (typeof value === 'string' && decimal.test(value.trim())) return Number(value)
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
