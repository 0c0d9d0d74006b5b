import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const textOf = (name: string): string => readFileSync(join(import.meta.dirname, 'linters', name), 'utf8')

test('the linters are pinned, and the lock file installs the versions that are pinned', () => {
  const { dependencies } = JSON.parse(textOf('package.json')) as { dependencies: Record<string, string> }
  const { packages } = JSON.parse(textOf('package-lock.json')) as {
    packages: Record<string, { version?: string }>
  }
  const locked = Object.keys(dependencies).map((name) => [name, packages[`node_modules/${name}`]?.version])
  expect(Object.fromEntries(locked)).toEqual(dependencies)
  for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
})
