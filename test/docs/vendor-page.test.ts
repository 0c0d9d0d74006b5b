/** The page about the vendor's word names every identifier, as spec/identifiers.ts makes it. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  contractIdentifiers,
  identifierForms,
  identifiersOf,
  type IdentifierName,
} from '../../spec/identifiers.ts'

const page = readFileSync(new URL('../../docs/vendor.md', import.meta.url), 'utf8')
const names = Object.keys(identifierForms) as IdentifierName[]
const [acme, corp] = [identifiersOf('acme'), identifiersOf('acme-corp')]

test('the table has a row for each identifier, and no other', () => {
  const cells = [...page.matchAll(/^\| `.*$/gm)].map(([row]) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  expect(cells).toEqual(
    names.map((name) => [
      `\`${name}\``,
      identifierForms[name].title,
      ...[contractIdentifiers, acme, corp].map((identifiers) => `\`${identifiers[name]}\``),
    ]),
  )
})
