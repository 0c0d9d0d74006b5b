/** Strings for the formats of JSON Schema that every parser accepts. */
import * as fc from 'fast-check'

const two = (value: number): string => String(value).padStart(2, '0')
const date = fc
  .tuple(
    fc.integer({ min: 2030, max: 2034 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
  )
  .map(([year, month, day]) => `${year}-${two(month)}-${two(day)}`)
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([hour, minute]) => `${two(hour)}:${two(minute)}:00Z`)
const word = fc.string({
  unit: fc.constantFrom(...Array.from('abcdefghijklmnopqrstuvwxyz')),
  minLength: 3,
  maxLength: 10,
})

export const formatArbitraries: Readonly<Record<string, fc.Arbitrary<string>>> = {
  date,
  time,
  'date-time': fc.tuple(date, time).map(([day, hour]) => `${day}T${hour}`),
  email: word.map((name) => `${name}@example.com`),
  uuid: fc.uuid({ version: 4 }),
  uri: word.map((path) => `https://example.com/${path}`),
  hostname: word.map((name) => `${name}.example.com`),
}
