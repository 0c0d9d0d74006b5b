/** `touchstone gaps`: what the contract leaves open. */
import { Command } from 'commander'
import { gapIds, gaps } from '../../spec/index.ts'
import type { Gap } from '../../spec/index.ts'
import type { Bench } from '../bench.ts'
import { entry, json } from './print.ts'

export function gapsCommand({ io }: Bench): Command {
  return new Command('gaps')
    .description('print what the contract leaves open, and the readings that a server may have')
    .option('--json', 'print JSON')
    .action((options: { json?: true }) => {
      const rows = gapIds.map((id) => ({ id, ...(gaps[id] satisfies Gap) }))
      if (options.json) return io.out(json(rows))
      io.out(rows.map((row) => entry(`${row.id}  ${row.kind}`, words(row), io.width)).join(''))
      io.err(`${rows.length} gaps; choose a reading with --reading GAP=READING\n`)
    })
}

function words({ question, unjudged, readings }: Gap): readonly string[] {
  const named = Object.entries(readings).map(
    ([name, text], index) => `${name}${index === 0 ? ' (default)' : ''}: ${text}`,
  )
  return [question, `Not judged: ${unjudged}`, ...named.map((reading) => `- ${reading}`)]
}
