import { describe, expect, test } from 'vitest'
import { Book, type BookOptions } from './book.ts'
import { nothingStored, type EntryKind } from './conversations.ts'

const bookOf = (options: Partial<BookOptions<number>> = {}) =>
  new Book<number>({
    kind: 'key',
    changes: nothingStored,
    limit: { most: 3, ageMs: 100 },
    now: () => 0,
    ...options,
  })

describe('a book', () => {
  const cases: readonly [title: string, how: Partial<BookOptions<number>>, set: string, left: string][] = [
    ['lets the oldest go', {}, 'abcde', 'cde'],
    ['keeps the place of what is set again', {}, 'abcad', 'bcd'],
    ['takes what is used as the youngest', { order: 'used' }, 'abcad', 'cad'],
    ['passes over what is in use', { inUse: (value) => value === 1 }, 'abcde', 'ade'],
    ['holds more than it may where all of it is in use', { inUse: () => true }, 'abcde', 'abcde'],
  ]
  test.for(cases)('%s', ([, how, ids, left]) => {
    let dropped = 0
    const book = bookOf({ ...how, letGo: () => void dropped++ })
    for (const [index, id] of ids.split('').entries()) book.set(id, index + 1)
    expect([...book.keys()].toSorted().join('')).toBe(left.split('').toSorted().join(''))
    expect(dropped).toBe(new Set(ids).size - left.length)
  })

  test('lets the oldest go for their bytes, and never the newest', () => {
    const limit = { most: 9, ageMs: 100, bytes: 10 }
    const book = bookOf({ limit, sizeOf: (size) => size })
    const left = (id: string, size: number): string => {
      book.set(id, size)
      return [...book.keys()].join('')
    }
    expect([left('a', 4), left('b', 5), left('c', 2), left('d', 50), left('e', 8)]).toEqual([
      'a',
      'ab',
      'bc',
      'd',
      'e',
    ])
    book.delete('e')
    book.restore('f', 9, { place: 9, since: 0 })
    expect([left('g', 1), left('f', 1), left('h', 9)]).toEqual(['fg', 'fg', 'gh'])
    // What grows where it stands takes the room of older ones.
    expect([left('i', 1), left('i', 3), left('h', 10)]).toEqual(['hi', 'i', 'h'])
  })

  test('reports each change, and none of restored entries', () => {
    const marks: string[] = []
    const mark = (_kind: EntryKind, id: string): void => void marks.push(id)
    const book = bookOf({ changes: { ...nothingStored, changed: mark } })
    book.restore('old', 0, { place: 7, since: 0 })
    for (const id of ['a', 'b', 'c']) book.set(id, 1)
    book.touch('b')
    book.delete('c')
    book.delete('not there')
    expect(marks).toEqual(['a', 'b', 'old', 'c', 'b', 'c'])
    expect(book.placeOf('a')).toEqual({ place: 8, since: 0 })
  })
})
