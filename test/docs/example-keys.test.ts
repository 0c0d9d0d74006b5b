import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** As long as keys of the service are: what a scanner for secrets takes for a real one. */
const key = /\b(?:sk-|ak_|sess_|whsec_)[A-Za-z0-9]{16,}/g

test('no page and no example has a key that looks real', () => {
  const pages = globSync(['*.md', 'docs/**/*.{md,yaml}', 'examples/**/*.*'], { cwd: root })
  const found = pages.flatMap((page) =>
    [...readFileSync(`${root}${page}`, 'utf8').matchAll(key)].map(([text]) => `${page}: ${text}`),
  )
  expect(pages.length).toBeGreaterThan(40)
  expect(found).toEqual([])
})
