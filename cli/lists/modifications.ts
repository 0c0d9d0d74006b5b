/** `touchstone faults` and `touchstone variants` */
import { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { listEntry, printedJson } from './print.ts'

type Row = readonly [name: string, title: string, note: string]

export function modificationsCommands({ io }: CommandContext): readonly Command[] {
  const list = (name: string, description: string, rows: () => Promise<readonly Row[]>): Command =>
    new Command(name)
      .description(description)
      .option('--json', 'print JSON')
      .action(async (options: { json?: true }) => {
        const found = await rows()
        if (options.json)
          return io.out(printedJson(found.map(([name, title, note]) => ({ name, title, note }))))
        io.out(found.map(([name, title, note]) => listEntry(name, [title, `(${note})`], io.width)).join(''))
        io.err(`${found.length} ${name}\n`)
      })
  return [
    list('faults', 'list the deliberate defects of the simulator, for --fault', faultRows),
    list('variants', 'list unusual, conforming behaviours of the simulator, for --variant', variantRows),
  ]
}

async function faultRows(): Promise<readonly Row[]> {
  const { faults } = await import('../../simulator/index.ts')
  const rows: readonly (readonly [string, { title: string; breaks: readonly string[] }])[] =
    Object.entries(faults)
  return rows.map(([name, { title, breaks }]) => [name, title, `breaks ${breaks.join(', ')}`])
}

async function variantRows(): Promise<readonly Row[]> {
  const { variants } = await import('../../simulator/index.ts')
  const rows: readonly (readonly [string, { title: string; allowed: string }])[] = Object.entries(variants)
  return rows.map(([name, { title, allowed }]) => [name, title, `allowed: ${allowed}`])
}
