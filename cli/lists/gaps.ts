/** `touchstone gaps` */
import { Command } from 'commander'
import { gapIds, gaps } from '../../spec/index.ts'
import type { Gap } from '../../spec/index.ts'
import type { CommandContext } from '../command-context.ts'
import { listEntry, printedJson } from './print.ts'

export function gapsCommand({ io }: CommandContext): Command {
  return new Command('gaps')
    .description('list the points that the contract leaves unspecified, with their interpretations')
    .option('--json', 'print JSON')
    .action((options: { json?: true }) => {
      const rows = gapIds.map((id) => ({ id, ...(gaps[id] satisfies Gap) }))
      if (options.json) return io.out(printedJson(rows))
      io.out(rows.map((row) => listEntry(`${row.id}  ${row.kind}`, paragraphs(row), io.width)).join(''))
      io.err(`${rows.length} gaps; choose an interpretation with --interpret GAP=INTERPRETATION\n`)
    })
}

function paragraphs({ question, unjudged, interpretations }: Gap): readonly string[] {
  const named = Object.entries(interpretations).map(
    ([name, text], index) => `${name}${index === 0 ? ' (default)' : ''}: ${text}`,
  )
  return [question, `Not judged: ${unjudged}`, ...named.map((interpretation) => `- ${interpretation}`)]
}
