/** The matrix is made by a command; these hold what is written down against the tables, and the making itself. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { killMatrix, type KillMatrix } from '../../reports/proof/kill-matrix.ts'
import { faultIds, rows } from './machine.ts'
import { brokenCommandLines } from '../broken-command-lines.ts'
import { brokenClients } from './broken-clients/index.ts'
import { patchedClient } from './broken-clients/patch.ts'
import { broken } from './broken-receivers.ts'
import { clientChecks, receiverChecks, serverChecks } from './checks.ts'
import { problemsOf, unexplainedChecks } from './explain.ts'
import { cellsOf, lineOf, path, readMatrix, textOf } from './file.ts'
import { longScenariosFor, withFewest } from './long-scenarios.ts'
import { unkillable } from './reasons.ts'
import { leftOver } from './row.ts'
import { drift, agrees, settled } from './settle.ts'

test.for(Object.entries(brokenClients))(
  'the client that %s changes places of the example',
  ([, { patches }]) => {
    expect(() => patchedClient(patches)).not.toThrow()
  },
)

describe('the committed matrix, which `npm run kill-matrix` writes,', () => {
  const runIt = 'run npm run kill-matrix and commit the file that it writes'
  const sections = Object.values(killMatrix) as readonly KillMatrix['faults'][]
  const lines = sections.flatMap((section) => Object.entries(section))

  test('has a line for each fault by its title, for each broken receiver and for each broken client', () => {
    const bare = faultIds.filter((id) => killMatrix.faults[id]?.title !== rows[id].title)
    const missing = Object.keys(broken).filter((name) => !Object.hasOwn(killMatrix.receivers, name))
    const gone = Object.keys({ ...brokenClients, ...brokenCommandLines }).filter(
      (name) => !Object.hasOwn(killMatrix.clients, name),
    )
    expect([...bare, ...missing, ...gone], runIt).toEqual([])
    expect(new Set(lines.map(([name]) => name)).size).toBe(lines.length)
  })

  test('has lines of nothing else, and kills of checks that there are', () => {
    const checks = new Set([...serverChecks, ...receiverChecks, ...clientChecks])
    const gone = lines.flatMap(([, line]) => cellsOf(line)?.kills ?? []).filter((check) => !checks.has(check))
    expect([...leftOver(killMatrix), ...gone], runIt).toEqual([])
  })

  test('has a killer, or the reason why there is none, for each check', () => {
    const killed = new Set(lines.flatMap(([, line]) => cellsOf(line)?.kills ?? []))
    const checks = [...serverChecks, ...receiverChecks, ...clientChecks]
    expect(unexplainedChecks(checks, killed, unkillable), runIt).toEqual([])
  })

  test('has no more of the scenarios that take long than it takes', () => {
    expect(withFewest(killMatrix.faults), runIt).toEqual(killMatrix.faults)
  })

  test('is written as it would be written again', () => {
    expect(textOf(readMatrix()) === readFileSync(path, 'utf8'), runIt).toBe(true)
  })
})

describe('a scenario that takes long', () => {
  const line = (...kills: readonly string[]) => lineOf('Some fault.', { kills, sometimes: [] })
  const id = 'second-update-mints-secret'
  const cases = (faults: KillMatrix['faults']) => longScenariosFor(id, { faults, receivers: {}, clients: {} })

  test('runs for a fault that is not in the file, and for none that a shorter scenario kills', () => {
    const other = { [id]: line('walk/some-keys/IDEM-REPLAY-AGAIN') }
    expect(cases({})).toContain('sample-model/many')
    expect(cases(other)).toContain('sample-model/many')
    const killers = receiverChecks.concat(serverChecks)
    expect(cases({ [id]: line('updates/rest/HOOK-UPDATE-REST'), some: line(...killers) })).toEqual([])
    expect(cases({ [id]: line('sample-model/many/HOOK-UPDATE-REST'), some: line(...killers) })).toEqual([
      'sample-model/many',
    ])
  })

  test('is assigned to one fault per check, and to faults that no shorter scenario kills', () => {
    const check = 'sample-model/many/HOOK-UPDATE-REST'
    const short = 'updates/rest/HOOK-UPDATE-REST'
    const faults = { a: line(check, short), b: line(check, short) }
    const kept = withFewest(faults)
    expect(kept).toEqual({ a: line(check, short), b: line(short) })
    expect(withFewest({ ...faults, c: line(check) })).toEqual({
      a: line(short),
      b: line(short),
      c: line(check),
    })
    expect(withFewest(kept)).toEqual(kept)
  })
})

describe('a cell', () => {
  const recorded = { kills: ['a'], sometimes: ['s'] }
  const seen = [
    ['is settled if one run agrees', [['a']], ['a'], ['s'], [], []],
    ['that flickers never counts as a difference', [['a', 's']], ['a'], ['s'], [], []],
    ['is no kill if it is missing in a run', [['a'], []], [], ['a', 's'], [], []],
    ['is gone if no run shows it', [[], []], [], ['s'], ['a'], []],
    [
      'is new if every run shows it',
      [
        ['a', 'b'],
        ['a', 'b'],
      ],
      ['a', 'b'],
      ['s'],
      [],
      ['b'],
    ],
    ['that appears once flickers', [['a', 'b'], ['a']], ['a'], ['b', 's'], [], []],
  ] as const
  test.for(seen)('%s', ([, runs, kills, sometimes, gone, come]) => {
    expect(settled(runs, recorded)).toEqual({ kills, sometimes })
    expect(drift(runs, recorded)).toEqual({ gone, come })
  })

  test('of a fault that is not in the file runs again', () => {
    expect([agrees(['a'], undefined), agrees(['a'], recorded), agrees([], recorded)]).toEqual([
      false,
      true,
      false,
    ])
  })
})

describe('a fault is unexplained if it', () => {
  const red = (check: string, broken = false) => ({ check, broken, message: check })
  const cases = [
    ['does not fail a declared clause', [[red('s/x/A')]], ['f does not fail B']],
    [
      'fails an undeclared clause',
      [[red('s/x/A'), red('s/x/B'), red('s/x/C')]],
      ['f fails an undeclared clause: s/x/C'],
    ],
    [
      'makes a judge throw',
      [[red('s/x/A'), red('s/x/B', true)]],
      ['f does not fail B', 'f fails an undeclared clause: s/x/B'],
    ],
  ] as const
  test.for(cases)('%s', ([, runs, problems]) => {
    expect(problemsOf({ id: 'f', breaks: ['A', 'B'], cellsOfRuns: runs })).toEqual(problems)
  })

  test('unless it did so once in several runs, by a race', () => {
    const runs = [[red('s/x/A'), red('s/x/C')], [red('s/x/A'), red('s/x/B')], [red('s/x/A')]]
    expect(problemsOf({ id: 'f', breaks: ['A', 'B'], cellsOfRuns: runs })).toEqual([])
  })
})

test('a check without a killer needs a reason, and a reason needs a check without a killer', () => {
  expect(unexplainedChecks(['a', 'b', 'c'], new Set(['a', 'c']), { c: 'why', d: 'why' })).toEqual([
    'b: no fault fails it',
    'c: has a reason for not being killed, and is killed',
    'd: has a reason for not being killed, and is no check',
  ])
})
