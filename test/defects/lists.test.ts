import { describe, expect, test } from 'vitest'
import { hasPython } from '../other-server/start.ts'
import { foundOf, parts, reasonsOf, sentencesOf, waysOf } from './lists.ts'
import { plantedWays } from './planted.ts'

test('each way to break the contract has a name of its own', () => {
  const ids = parts.flatMap((part) => waysOf(part).map(({ id }) => id))
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  expect(ids.length).toBeGreaterThan(400)
})

describe.for(parts)('%s', (part) => {
  test('every sentence quotes the contract in up to twenty words and has two ways or three', () => {
    const wrong = sentencesOf(part).filter(
      ({ words, ways }) =>
        words.split(' ').length > 20 || (part !== 'blind' && (ways.length < 2 || ways.length > 3)),
    )
    expect(wrong).toEqual([])
  })

  test('what was found is of ways that there are', () => {
    const ids = new Set(waysOf(part).map(({ id }) => id))
    expect(Object.keys(foundOf(part)).filter((id) => !ids.has(id))).toEqual([])
  })

  test('whatever is not found, and nothing else, has one reason', () => {
    const { undecided, missed } = reasonsOf(part)
    const found = foundOf(part)
    if (part === 'blind' && Object.keys(found).length === 0) return
    const left = waysOf(part).flatMap(({ id }) => ((found[id]?.now?.failed.length ?? 0) > 0 ? [] : [id]))
    expect([...Object.keys(undecided), ...Object.keys(missed)].toSorted()).toEqual(left.toSorted())
  })
})

test.skipIf(!hasPython)('what was run is planted', () => {
  const planted = plantedWays()
  const run = parts.flatMap((part) => Object.keys(foundOf(part)))
  expect(run.filter((id) => !planted.has(id))).toEqual([])
})
