/** A process that runs the suite into several folders at the same time, each some lines behind the one before it. */
import { join } from 'node:path'
import { testIo } from '../../cli/process.testkit.ts'
import { main } from '../../cli/main.ts'
import { journalHas } from './journal-grows.ts'

const [root = '', runs = '', behind = '', ...words] = process.argv.slice(2)

for (let at = 0; at < Number(runs); at++) {
  const out = join(root, String(at))
  const ended = main(['check', 'simulator', '--quiet', '--seed', '1', ...words, '--out', out], testIo())
  await journalHas(Number(behind), out, ended)
}

// It is there until it is killed, however far they have come.
setInterval(() => undefined, 60_000)
