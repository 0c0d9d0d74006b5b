import { expect, test } from 'vitest'
import { digit, end, start } from './log.testkit.ts'
import type { RunLogEntry } from './entry.ts'
import { historyOf, outcomesIn, outcomeWords, runsByVersion } from './runs.ts'

const entries = [
  ['run-1', start()],
  ['run-1', end('nonconformant', digit('1'))],
  ['run-2', start()],
  ['run-3', start('4.2.0')],
  ['run-4', start()],
  ['run-4', end('conformant', digit('4'))],
  ['run-5', start()],
  ['run-5', { is: 'end', exitCode: 4, result: null }],
  ['run-6', { ...start(), plan: { ...start().plan, narrowed: 'selection' } }],
  ['run-6', end('nonconformant', digit('6'))],
] as const
const log = {
  keyid: digit('k'),
  entries: entries.map(([run, content], index): RunLogEntry => {
    const place = {
      schemaVersion: 1,
      number: index + 1,
      previous: null,
      at: `2026-11-24T09:00:0${index}.000Z`,
    } as const
    return { ...place, run, ...content }
  }),
}
const other = {
  ...log,
  entries: log.entries
    .slice(0, 1)
    .map((entry) => ({ ...entry, run: 'run-0', at: '2026-11-23T09:00:00.000Z' })),
}

test('runs are listed by target and version, in the order of their start, over all logs', () => {
  const versions = runsByVersion([log, other])

  expect(versions.map(({ target, version, runs }) => [target, version, ...runs.map(({ id }) => id)])).toEqual(
    [
      ['acme', '4.2.0', 'run-3'],
      ['acme', '4.2.1', 'run-0', 'run-1', 'run-2', 'run-4', 'run-5', 'run-6'],
    ],
  )
})

test('every run that was not handed over is discarded, however it ended', () => {
  const runs = runsByVersion([log]).find(({ version }) => version === '4.2.1')?.runs ?? []
  const { handedOver, discarded } = historyOf(runs, new Set([digit('4')]))

  expect(handedOver.map(({ id }) => id)).toEqual(['run-4'])
  expect(discarded.map(outcomeWords)).toEqual([
    'nonconformant',
    'cut off or still running',
    'no result, exit code 4',
    'nonconformant (selection)',
  ])
  expect(outcomesIn([...discarded, ...discarded.slice(0, 1)])[0]).toEqual(['nonconformant', 2])
})
