/** A run that another one is held against, as it lies in its folder. */
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { counterexampleFolder } from '../../reports/bundle/curl.ts'
import type { Run } from '../../reports/bundle/record.ts'
import { readBundle } from '../rejudge/read-bundle.ts'

export interface Earlier {
  run: Run
  /** Where it ends, in words, if it was cut short. */
  ends: string | null
  /** Paths of its replay files, below its folder. */
  files: ReadonlySet<string>
}

/** Throws a UsageError that names the file that cannot be read. */
export function openEarlier(path: string): Earlier {
  const { run, ends } = readBundle(path)
  return { run, ends, files: new Set(counterexamplesIn(path)) }
}

/** Paths of replay files, below the folder. */
export function counterexamplesIn(path: string): readonly string[] {
  const folder = dirname(counterexampleFolder('any'))
  const root = join(path, folder)
  if (!existsSync(root)) return []
  return readdirSync(root).flatMap((name) =>
    readdirSync(join(root, name)).map((file) => `${folder}/${name}/${file}`),
  )
}
