/** `touchstone faults` and `touchstone variants`: what the simulator can be switched to. */
import { Command } from 'commander'
import type { Bench } from '../bench.ts'
import { entry, json } from './print.ts'

type Row = readonly [name: string, title: string, note: string]

export function modificationsCommands({ io }: Bench): readonly Command[] {
  const list = (name: string, description: string, rows: () => Promise<readonly Row[]>): Command =>
    new Command(name)
      .description(description)
      .option('--json', 'print JSON')
      .action(async (options: { json?: true }) => {
        const found = await rows()
        if (options.json) return io.out(json(found.map(([name, title, note]) => ({ name, title, note }))))
        io.out(found.map(([name, title, note]) => entry(name, [title, `(${note})`], io.width)).join(''))
        io.err(`${found.length} ${name}\n`)
      })
  return [
    list('faults', 'print the deliberate defects of the simulator', faultRows),
    list('variants', 'print the unusual but conforming ways of the simulator', variantRows),
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
