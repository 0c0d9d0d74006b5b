import { expect, test } from 'vitest'
import { digit, end, start } from '../run-log/log.testkit.ts'
import type { LoggedRun } from '../run-log/index.ts'
import { historyData, historyRows } from './run-history.ts'

const logged = (id: string, conformance: 'conformant' | 'nonconformant'): LoggedRun => {
  const { is: _, ...begun } = start()
  const { is: __, ...ended } = end(conformance, digit(id))
  const at = `2026-11-24T09:00:0${id}.000Z`
  return { ...begun, id, keyid: digit('k'), startedAt: at, end: { ...ended, at } }
}
const history = {
  handedOver: [logged('2', 'conformant')],
  discarded: [logged('1', 'nonconformant'), logged('3', 'nonconformant')],
  heads: [],
}

test('a discarded run that began after the stated one is said to be later', () => {
  const text = historyRows(history, 'acme 4.2.1')
    .map(({ markup }) => markup)
    .join('')

  expect(text).toContain('This statement is about run 2; 2 were discarded, 1 of them later than it:')
  expect(text).toContain('<li>1 run: nonconformant</li><li>1 later run: nonconformant</li>')
  expect(historyData(history)).toMatchObject({
    discarded: 2,
    later: 1,
    laterOutcomes: { nonconformant: 1 },
  })
})
