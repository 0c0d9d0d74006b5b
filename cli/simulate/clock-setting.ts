/** The `--clock` option. */
import { InvalidArgumentError } from 'commander'

export type ClockChoice =
  | { mode: 'real' }
  | { mode: 'frozen'; at?: number }
  | { mode: 'offset'; ms: number }
  | { mode: 'scaled'; factor: number }

const forms: Readonly<Record<string, (value: string) => ClockChoice | undefined>> = {
  real: (value) => (value === '' ? { mode: 'real' } : undefined),
  frozen(value) {
    if (value === '') return { mode: 'frozen' }
    const at = Date.parse(value)
    return Number.isNaN(at) ? undefined : { mode: 'frozen', at }
  },
  offset: (value) => (/^-?\d{1,14}$/.test(value) ? { mode: 'offset', ms: Number(value) } : undefined),
  scaled: (value) => (Number(value) > 0 ? { mode: 'scaled', factor: Number(value) } : undefined),
}

/** `real`, `frozen`, `frozen:2030-01-01T00:00:00Z`, `offset:86400000` (ms), `scaled:60`. */
export function clockSetting(text: string): ClockChoice {
  const [mode = '', ...rest] = text.split(':')
  const form = Object.hasOwn(forms, mode) ? forms[mode] : undefined
  const setting = form?.(rest.join(':'))
  if (setting && (setting.mode !== 'scaled' || Number.isFinite(setting.factor))) return setting
  throw new InvalidArgumentError(
    'Give real, frozen, frozen:2030-01-01T00:00:00Z, offset:MILLISECONDS or scaled:FACTOR.',
  )
}
