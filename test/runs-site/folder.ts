/** A folder of runs for tests, made once and copied for each. */
import { cpSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../cli/process.testkit.ts'
import { signerFrom } from '../../cli/seal/signer.ts'
import { filesBelow } from '../../reports/bundle/seal/walk.ts'
import { publicHalf, sealedRun } from '../bundle/sealed-run.ts'
import type { Place } from './forgeries.ts'
import { writeLaterRun, type LaterRun } from './later-run.ts'

export interface RunsFolder {
  /** Everything lies below it. */
  root: string
  keys: Place['keys']
  /** A folder with only these runs, all signed. */
  withRuns: (...later: readonly LaterRun[]) => string
  /** A copy of the folder of a forger. */
  place: (runs: string) => Place
  /** Writes a site of a folder; the public half of `own` is given, unless there are other options. */
  site: (runs: string, ...options: readonly string[]) => Promise<BuiltSite>
  remove: () => void
}

export interface BuiltSite {
  path: string
  code: number
  out: string
  err: string
  page: (file: string) => string
  files: readonly string[]
}

export async function runsFolder(): Promise<RunsFolder> {
  const sealed = await sealedRun()
  const { root, path: base, key } = sealed
  const keys = { own: key, other: join(root, 'other.pem') }
  const folder = (): string => mkdtempSync(join(root, 'runs-'))
  return {
    root,
    keys,
    remove: () => sealed.remove(),
    withRuns(...later) {
      const runs = folder()
      for (const one of later)
        writeLaterRun(
          base,
          join(runs, one.version.replaceAll(/[^\w.]/g, '')),
          one,
          signerFrom(`file:${key}`, {}),
        )
      return runs
    },
    place(runs) {
      const copy = folder()
      cpSync(runs, copy, { recursive: true })
      const elsewhere = mkdtempSync(join(root, 'elsewhere-'))
      return { runs: copy, elsewhere, base, keys }
    },
    async site(runs, ...options) {
      const path = mkdtempSync(join(root, 'public-'))
      const how = options.length === 0 ? ['--key', publicHalf(key)] : options
      const ended = await run(['site', runs, '--out', path, ...how])
      const page = (file: string): string => readFileSync(join(path, file), 'utf8')
      return { path, ...ended, page, files: filesBelow(path).map((file) => file.path) }
    },
  }
}
