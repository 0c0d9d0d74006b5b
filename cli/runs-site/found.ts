/** Run bundles in a folder, each verified, with what keeps two of them from counting together. */
import { relative, join } from 'node:path'
import { journalFile, planFile, recordFile } from '../../reports/bundle/names.ts'
import { manifestFile } from '../../reports/bundle/seal/names.ts'
import type { UncountedBundle, RunEntry } from '../../reports/runs-site/index.ts'
import { foldersBelow, type SearchedFolder } from '../gate/run-folders.ts'
import { verifiedEntry, type Verification } from './verified-entry.ts'

export interface FoundRuns {
  entries: readonly RunEntry[]
  notCounted: readonly UncountedBundle[]
}

const ofRun: readonly string[] = [recordFile, planFile, journalFile, manifestFile]

/** Throws a UsageError for a folder that cannot be read. */
export function mustBeReadable(folder: string): void {
  foldersBelow(folder, 'site').next()
}

/** Throws a UsageError for a folder that cannot be read. */
export function runsIn(folder: string, how: Verification, each: () => void): FoundRuns {
  const verified: RunEntry[] = []
  const notCounted: UncountedBundle[] = []
  for (const searched of foldersBelow(folder, 'site')) {
    notCounted.push(...linksIn(searched, folder))
    if (!searched.entries.some(({ name }) => ofRun.includes(name))) continue
    const one = verifiedEntry(searched.path, placeOf(searched.path, folder), how)
    if ('why' in one) notCounted.push(one)
    else verified.push(one)
    each()
  }
  const { entries, repeated } = onceEach(verified)
  return { entries, notCounted: [...notCounted, ...repeated] }
}

const placeOf = (path: string, folder: string): string => relative(folder, path) || '.'

/** In a run itself they are found when it is verified. */
function linksIn({ path, entries }: SearchedFolder, folder: string): readonly UncountedBundle[] {
  if (entries.some(({ name }) => ofRun.includes(name))) return []
  return entries
    .filter((one) => one.isSymbolicLink())
    .map(({ name }) => ({
      place: placeOf(join(path, name), folder),
      why: 'a link: it was not followed',
      problems: [],
    }))
}

/**
 * A copy of a run counts once, and a run that was judged again by another clause set counts in both. Of different
 * results that one run has by one set, none counts: one of them is not what it says.
 */
function onceEach(verified: readonly RunEntry[]) {
  const entries: RunEntry[] = []
  const repeated: UncountedBundle[] = []
  for (const own of Map.groupBy(verified, ({ id, contract }) => JSON.stringify([id, contract])).values()) {
    const [first, ...others] = own
    if (first === undefined) continue
    const isSame = others.every(({ digest }) => digest === first.digest)
    if (isSame) entries.push(first)
    for (const one of isSame ? others : own)
      repeated.push({
        place: one.place,
        why: isSame
          ? `a copy of ${first.place}, which counts`
          : `another bundle has the same run id ${one.id} and says something else by the same clause set: remove one`,
        problems: isSame ? [] : own.filter((other) => other !== one).map(({ place }) => place),
      })
  }
  return { entries, repeated }
}
