/** A cache for downloads and builds, below node_modules so that it is deleted with them. */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
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
