import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const folders = globSync(['lab/*/*/package.json', 'test/runtimes/package.json'], { cwd: root }).map((path) =>
  join(root, path, '..'),
)

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly resolved?: string }>>
}

test.for(folders)(
  '%s pins its packages, and the lock file installs these versions from any registry',
  (folder) => {
    const json = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'))
    const { dependencies } = json('package.json') as { dependencies: Readonly<Record<string, string>> }
    const { packages } = json('package-lock.json') as Lock
    const locked = Object.keys(dependencies).map((name) => [name, packages[`node_modules/${name}`]?.version])
    expect(Object.fromEntries(locked)).toEqual(dependencies)
    for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([])
  },
)
