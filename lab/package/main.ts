/**
 * `npm run lab -- package [--only WAY]`: installs the package in each way of docs/install.md, into empty folders, and
 * runs it there, and the pytest plugin into an environment of its own. What is not committed is not there.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packCopy } from '../../scripts/package/pack-copy.ts'
import { optionsOf } from '../../test/options.ts'
import { importTool, installTools } from '../../test/tools.ts'
import { testPytestPlugin } from './pytest-plugin.ts'
import { oldNode, onNewNode, runLines } from './shell.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/install.md'), 'utf8')

/** The block below each heading of the page. */
const ways = Object.fromEntries(
  [...page.matchAll(/^## (.+)\n[^#]*?^```\n([^]*?)^```/gm)].map(([, heading = '', lines = '']) => [
    heading,
    lines,
  ]),
)
/** The documents and schemas have no types. */
const noCode = ['openapi', 'asyncapi', 'control', 'control-protocol'].map((name) => `spec/${name}.yaml`)

/** Throws if `attw` or `publint` finds a problem in the tarball, such as types that some resolution does not find. */
async function lintPackage(tarball: string): Promise<void> {
  const words = [tarball, '--profile', 'esm-only', '--exclude-entrypoints', ...noCode]
  const attw = join(tools, 'node_modules/.bin/attw')
  const { status, stdout, stderr } = spawnSync(process.execPath, [attw, ...words], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`attw ended with ${status}:\n${stdout}${stderr}`)
  const { publint } = (await importTool(tools, 'publint')) as {
    publint: (options: object) => Promise<{ messages: readonly unknown[] }>
  }
  const { buffer } = new Uint8Array(readFileSync(tarball))
  const { messages } = await publint({ pack: { tarball: buffer }, strict: true })
  if (messages.length > 0) throw new Error(`publint: ${JSON.stringify(messages, null, 2)}`)
  console.log('attw, publint: no problem')
}

const { values } = optionsOf({ options: { only: { type: 'string', default: '' } } })

const folder = mkdtempSync(join(tmpdir(), 'touchstone-install-'))
const tools = installTools(join(import.meta.dirname, 'tools'))
try {
  await lintPackage(packCopy())
  for (const [way, lines] of Object.entries(ways).filter(([name]) => name.includes(values.only))) {
    const isClone = way === 'A clone'
    const { seconds, place } = runLines(folder, isClone ? lines : onNewNode(lines), {
      REPOSITORY: `file://${root}`,
    })
    console.log(`${way}: ${seconds.toFixed(0)} s`)
    console.log(`  on ${oldNode(place, isClone)}`)
  }
  if (values.only === '') testPytestPlugin(root, folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
