/** A cache for downloads and builds, below node_modules so that it is deleted with them. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

export function cacheFolder(name: string): string {
  const folder = join(root, 'node_modules/.cache/touchstone-bench', name)
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Runs a command in the root of the project. Throws with the end of its output if it fails. */
export function run(program: string, ...args: readonly string[]): void {
  const { status, error, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8' })
  if (status === 0) return
  const printed = error?.message ?? `${stdout}${stderr}`.trim().split('\n').slice(-5).join('\n')
  throw new Error(`${[program, ...args].join(' ')} failed: ${printed}`)
}

/** The path of a file of an npm package, such as `name@1.2.3`, which is installed on first use. Throws if it cannot be. */
export function installedFile(packed: string, file: string): string {
  const folder = cacheFolder(packed.replaceAll(/\W+/g, '-'))
  const path = join(folder, 'node_modules', packed.slice(0, packed.lastIndexOf('@')), file)
  if (!existsSync(path)) {
    console.error(`installing ${packed}`)
    run('npm', 'install', '--prefix', folder, '--no-save', '--ignore-scripts', packed)
  }
  return path
}
