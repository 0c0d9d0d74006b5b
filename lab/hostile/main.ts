/** `npm run lab -- hostile`: checks each hostile target in a process of its own, and measures memory and time. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { optionsOf } from '../../test/options.ts'
import { hostileModes, startHostileTarget, type HostileMode } from '../../test/hostile/target.ts'

const { values } = optionsOf({
  options: { minutes: { type: 'string', default: '0.5' }, only: { type: 'string', multiple: true } },
})
const seconds = Number(values.minutes) * 60
/** What a run may take: 500 MB of memory, and time beyond what was asked for, for start and reports. */
const most = { MiB: 476, more: 15 }

const child = join(import.meta.dirname, 'child.ts')
const run = promisify(execFile)
const env = { ...process.env, KEY: 'sk-hostile-Zk3vTq9LmX2pRw7B' }

interface Measured {
  code: number
  mostMiB: number
  seconds: number
}

async function measured(mode: HostileMode, out: string): Promise<Measured | string> {
  const target = await startHostileTarget(mode)
  const limit = { env, timeout: (seconds + 10 * most.more) * 1000, killSignal: 'SIGKILL' } as const
  try {
    const { stdout } = await run(process.execPath, [child, target.url, values.minutes, out], limit)
    return JSON.parse(stdout) as Measured
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error)
  } finally {
    await target.close()
  }
}

function troubleOf(found: Measured, out: string): string {
  return [
    [0, 1, 3].includes(found.code) ? '' : `exit code ${found.code}`,
    existsSync(join(out, 'report.html')) ? '' : 'no report',
    found.mostMiB > most.MiB ? `more than ${most.MiB} MiB` : '',
    found.seconds > seconds + most.more ? `more than ${seconds + most.more} s` : '',
  ]
    .filter((one) => one !== '')
    .join(', ')
}

const folder = mkdtempSync(join(tmpdir(), 'touchstone-hostile-'))
for (const mode of values.only ?? hostileModes) {
  const out = join(folder, mode)
  const found = await measured(mode, out)
  const trouble = typeof found === 'string' ? found : troubleOf(found, out)
  const figures =
    typeof found === 'string' ? '' : `${found.mostMiB.toFixed(0)} MiB, ${found.seconds.toFixed(1)} s`
  if (trouble !== '') process.exitCode = 1
  console.log(`${mode.padEnd(26)} ${figures.padEnd(18)} ${trouble || 'ok'}`)
  rmSync(out, { recursive: true, force: true })
}
rmSync(folder, { recursive: true, force: true })
