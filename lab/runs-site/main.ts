/** `npm run lab -- runs-site`: writes years of run bundles and measures the site that is made of them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../cli/process.testkit.ts'
import { signerFrom } from '../../cli/seal/signer.ts'
import { filesBelow } from '../../reports/bundle/seal/walk.ts'
import { optionsOf, whole } from '../../test/options.ts'
import { writeManyRuns } from './many-runs.ts'

const { values } = optionsOf({ options: { runs: { type: 'string', default: '1000' } } })
const count = whole('runs', values.runs)
const folder = mkdtempSync(join(tmpdir(), 'touchstone-runs-site-'))
const at = (...names: readonly string[]): string => join(folder, ...names)
const MiB = 2 ** 10

/** Throws if the command does not succeed. */
async function succeed(...argv: readonly string[]): Promise<string> {
  const { code, out, err } = await run(argv)
  if (code !== 0) throw new Error(`${argv[0]} ended with ${code}: ${err}`)
  return out.trim()
}

await succeed('keygen', '--out', at('key.pem'))
await succeed('check', 'simulator', '--only', 'IDEM-*', '--profile', 'smoke', '--out', at('base'))
const signer = signerFrom(`file:${at('key.pem')}`, {})
// The second line shows whether memory grows with the number of runs.
for (const runs of [Math.ceil(count / 10), count]) {
  rmSync(at('runs'), { recursive: true, force: true })
  writeManyRuns(at('base'), at('runs'), { count: runs, until: Date.now(), signer })
  const [began, before] = [performance.now(), process.cpuUsage()]
  const said = await succeed('site', at('runs'), '--out', at('public'), '--key', at('key.pub.pem'))
  const { user, system } = process.cpuUsage(before)
  const took = ((performance.now() - began) / 1_000).toFixed(1)
  const memory = (process.resourceUsage().maxRSS / MiB).toFixed(0)
  console.log(
    `${said.replace(folder, '')}\n  ${took} s, ${((user + system) / 1e6).toFixed(1)} s of processor, at most ${memory} MiB, ${filesBelow(at('public')).length} files`,
  )
}
rmSync(folder, { recursive: true })
