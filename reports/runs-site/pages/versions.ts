/** Versions by clause sets. */
import { html } from '../../html/elements/escape.ts'
import type { Hole, Markup } from '../../html/elements/escape.ts'
import { wordTable } from '../../html/elements/table.ts'
import { counted } from '../../html/elements/words.ts'
import { loggedWords, type loggedVersions } from '../logged.ts'
import { mustFailuresOf } from '../failing-clauses.ts'
import { conformanceOf, day, shortName, reserved, runLink } from '../phrases.ts'
import type { RunEntry } from '../entry.ts'
import { clauseSetLabel, type VersionResult } from '../targets.ts'

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
    versions.toReversed().map(({ version, bySet, deciding, entries }) => ({
      head: shortName(version),
      cells: [
        ...sets.map((set) => result(bySet.get(set), up) ?? otherResult(deciding, set, up)),
        counted(entries.length, 'run'),
        ...(logged ? [loggedWords(logged.get(version))] : []),
        day(entries.at(-1)?.endedAt ?? ''),
      ],
    })),
  )
}

function result(entry: RunEntry | undefined, up: string): Markup | null {
  if (entry === undefined) return null
  const failed = mustFailuresOf(entry).length
  const count = failed === 0 ? '' : html`, ${counted(failed, 'MUST clause')}`
  return html`${conformanceOf(entry)}${count}${reserved(entry)}, ${runLink(entry, gateOf(entry), up)}`
}

const gateOf = ({ gatePassed }: Pick<RunEntry, 'gatePassed'>): string =>
  gatePassed ? 'gate passed' : 'gate failed'

/** A run under another set may state what it comes to under this one. */
function otherResult(deciding: ReadonlySet<RunEntry>, set: string, up: string): Hole {
  const [found] = [...deciding]
    .toReversed()
    .flatMap((entry) =>
      entry.otherAnswers
        .filter((answer) => clauseSetLabel(answer) === set)
        .map(
          (answer) =>
            html`${conformanceOf(answer)} <span class="soft">(beside ${entry.contract.revision})</span>,
              ${runLink(entry, gateOf(answer), up)}`,
        ),
    )
  return found ?? 'not judged by it'
}
