/**
 * `npm run lab -- package [--only WAY]`: installs the package in each way of docs/install.md, into empty folders, and
 * runs it there, and the pytest plugin into an environment of its own. What is not committed is not there.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packCopy } from '../../scripts/package/pack-copy.ts'
import { optionsOf } from '../../test/options.ts'
import { installTools } from '../../test/tools.ts'
import { lintPackage } from './lint.ts'
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
const { values } = optionsOf({ options: { only: { type: 'string', default: '' } } })

const folder = mkdtempSync(join(tmpdir(), 'touchstone-install-'))
const tools = installTools(join(import.meta.dirname, 'tools'))
try {
  await lintPackage(tools, packCopy())
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
