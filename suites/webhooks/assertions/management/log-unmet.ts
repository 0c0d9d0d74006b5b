/** Judges the log of a delivery that reached nothing: it failed like any other, and is logged. */
import type { Judgement } from '../../../scenario/judgement.ts'
import type { Dialect } from '../../../config/dialect.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { check, given, inconclusive } from '../../../scenario/expect.ts'
import { entriesOfArrived, hasList, type Logged } from './log-entry.ts'
import { entriesOf } from './log-list.ts'

/** Whether a log has any entry, used for polling. */
export function hasSome(log: Exchange, { dialect }: { readonly dialect: Dialect }): boolean {
  return (entriesOf(log, dialect)?.length ?? 0) > 0
}

/**
 * `refused`: the log of a delivery of the same event that was refused three times, which shows the entries. `unmet`:
 * with the deliveries of the event elsewhere.
 */
export function logsUnmet(refused: Logged, unmet: Logged): Judgement {
  return given(hasList(refused), () => {
    if (entriesOfArrived(refused).length === 0) return inconclusive('the log shows no delivery that failed')
    return given(hasList(unmet), () =>
      check(
        hasSome(unmet.log, unmet),
        'an entry for a delivery that met nobody at its endpoint',
        'a log without any entry',
        unmet.log,
      ),
    )
  })
}
