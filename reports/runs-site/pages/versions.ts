/** Versions by clause sets. */
import { html } from '../../html/elements/escape.ts'
import type { Hole, Markup } from '../../html/elements/escape.ts'
import { wordTable } from '../../html/elements/table.ts'
import { counted } from '../../html/elements/words.ts'
import { loggedWords, type loggedVersions } from '../logged.ts'
import { mustFailuresOf } from '../failing-clauses.ts'
import { conformanceOf, day, shortName, reserved, runLink } from '../phrases.ts'
import type { RunEntry } from '../entry.ts'
import type { VersionResult } from '../targets.ts'

/** The newest version comes first. */
export function versionTable(
  versions: readonly VersionResult[],
  logged: ReturnType<typeof loggedVersions>,
  up: string,
): Markup {
  const sets = [...new Set(versions.flatMap(({ bySet }) => [...bySet.keys()]))].toSorted()
  return wordTable(
    'Versions by clause set: in each the newest whole run decides, or a failure that was seen after it.',
    ['version', ...sets, 'runs that count', ...(logged ? ['in the log'] : []), 'newest run'],
    versions.toReversed().map(({ version, bySet, entries }) => ({
      head: shortName(version),
      cells: [
        ...sets.map((set) => result(bySet.get(set), up)),
        counted(entries.length, 'run'),
        ...(logged ? [loggedWords(logged.get(version))] : []),
        day(entries.at(-1)?.endedAt ?? ''),
      ],
    })),
  )
}

function result(entry: RunEntry | undefined, up: string): Hole {
  if (entry === undefined) return 'no run'
  const failed = mustFailuresOf(entry).length
  const count = failed === 0 ? '' : html`, ${counted(failed, 'MUST clause')}`
  const gate = entry.gatePassed ? 'gate passed' : 'gate failed'
  return html`${conformanceOf(entry)}${count}${reserved(entry)}, ${runLink(entry, gate, up)}`
}
