/** Whether TypeScript finds the types of every entry, however a program resolves modules, and npm what it needs. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { importTool } from '../../test/tools.ts'

/** The documents and schemas have no types. */
const noCode = ['openapi', 'asyncapi', 'control', 'control-protocol'].map((name) => `spec/${name}.yaml`)

interface Publint {
  readonly publint: (options: object) => Promise<{ messages: readonly unknown[] }>
}

/** Throws if `attw` or `publint` finds a problem in the tarball. */
export async function lintPackage(tools: string, tarball: string): Promise<void> {
  const words = [tarball, '--profile', 'esm-only', '--exclude-entrypoints', ...noCode]
  const attw = join(tools, 'node_modules/.bin/attw')
  const { status, stdout, stderr } = spawnSync(process.execPath, [attw, ...words], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`attw ended with ${status}:\n${stdout}${stderr}`)
  const { publint } = (await importTool(tools, 'publint')) as Publint
  const { buffer } = new Uint8Array(readFileSync(tarball))
  const { messages } = await publint({ pack: { tarball: buffer }, strict: true })
  if (messages.length > 0) throw new Error(`publint: ${JSON.stringify(messages, null, 2)}`)
  console.log('attw, publint: no problem')
}
