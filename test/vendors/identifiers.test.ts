/** Only spec/identifiers.ts writes out an identifier with the contract's word in it: everything else gets the word as a parameter. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

const spelled = /x-service-|service-webhooks|\bSERVICE_(?:BASE_URL|API_KEY)|vnd\.service/i

/** Tests and their doubles may: they say what is expected. The types are generated from the documents. */
const passedOver =
  /\.(?:test|testkit)\.ts$|^scripts\/golden-run\/client\.ts$|^spec\/(?:identifiers\.ts$|types\/)/

const code = globSync('{spec,simulator,suites,client,cli,reports,scripts}/**/*.ts', { cwd: root }).filter(
  (path) => !passedOver.test(path),
)

test('no code writes out an identifier with the word of the contract', () => {
  expect(code.length).toBeGreaterThan(500)
  const found = code.filter((path) => spelled.test(readFileSync(`${root}/${path}`, 'utf8')))
  expect(found).toEqual([])
})
