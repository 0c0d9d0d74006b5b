/** `touchstone scenario list`: the situations that have a name. */
import { scenes } from '../../simulator/index.ts'
import type { Io } from '../io.ts'
import { entry, json } from '../lists/print.ts'

export function list(options: { json?: true }, io: Io): void {
  const rows = Object.entries(scenes).map(([name, { title, shows }]) => ({ name, title, shows }))
  if (options.json) return io.out(json(rows))
  io.out(
    rows.map(({ name, title, shows }) => entry(name, [`${title}.`, `Shows: ${shows}.`], io.width)).join(''),
  )
  io.err(`${rows.length} scenarios; touchstone simulate --scenario NAME brings one about\n`)
}
