/** Whether TypeScript finds the types of every entry, however a program resolves modules. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** The documents and schemas have no types. */
const noCode = ['openapi', 'asyncapi', 'control', 'control-protocol'].map((name) => `spec/${name}.yaml`)

/** Throws if `attw` finds a problem in the tarball. */
export function lintTypes(tools: string, tarball: string): void {
  const words = [tarball, '--profile', 'esm-only', '--exclude-entrypoints', ...noCode]
  const attw = join(tools, 'node_modules/.bin/attw')
  const { status, stdout, stderr } = spawnSync(process.execPath, [attw, ...words], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`attw ended with ${status}:\n${stdout}${stderr}`)
  console.log('attw: no problem')
}
