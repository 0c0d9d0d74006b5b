import { expect, test } from 'vitest'
import { jsonAnswer } from '../../../assertions/exchange.testkit.ts'
import { attempt, sample } from '../../../assertions/inbound.testkit.ts'
import { hasSome, logsUnmet } from './log-unmet.ts'

const dialect = {}
const { eventType: event } = sample
const refused = {
  log: jsonAnswer({ logs: [{ event, status: 500 }] }),
  arrived: [1, 2, 3].map(() => attempt({ status: 500 })),
  dialect,
}
const unmet = (logs: readonly object[]) => ({ log: jsonAnswer({ logs }), arrived: [attempt()], dialect })

test.for([
  ['has an entry', refused, unmet([{ event, status: null }]), 'pass'],
  ['has none', refused, unmet([]), 'fail'],
  [
    'has none, as that of what was refused',
    { ...refused, log: jsonAnswer({ logs: [] }) },
    unmet([]),
    'inconclusive',
  ],
  ['has none, and nothing came elsewhere', refused, { ...unmet([]), arrived: [] }, 'inconclusive'],
] as const)('a log of a delivery that met nobody %s', ([, one, other, expected]) => {
  expect(logsUnmet(one, other).is).toBe(expected)
  expect(hasSome(other.log, other)).toBe(expected === 'pass')
})
