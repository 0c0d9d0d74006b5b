/** Runs for the page of `touchstone show`: a faulty one, an altered one, a hostile one, a large one. */
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../cli/process.testkit.ts'

export const hostileText =
  '</pre><script>globalThis.ran = true</script><img src=x onerror="globalThis.ran = true">\u202e'

export interface ShownFolders {
  root: string
  faulty: string
  earlier: string
  remove: () => void
}

/** Two short runs, the later one with a fault. */
export async function shownFolders(): Promise<ShownFolders> {
  const root = mkdtempSync(join(tmpdir(), 'touchstone-show-'))
  const [faulty, earlier] = [join(root, 'faulty'), join(root, 'earlier')]
  const only = ['--only', 'idempotency-replay/stream/*,idempotency-race/two/*,streaming/streamed-turn/*']
  const check = ['check', 'simulator', ...only, '--quiet', '--seed', '1']
  await run([...check, '--out', earlier])
  await run([...check, '--fault', 'replay-unmarked', '--out', faulty])
  return { root, faulty, earlier, remove: () => rmSync(root, { recursive: true, force: true }) }
}

export function copyOf({ root, faulty }: ShownFolders, name: string): string {
  const folder = join(root, name)
  cpSync(faulty, folder, { recursive: true })
  return folder
}

/** One byte of the journal is another. */
export function alterJournal(folder: string): void {
  const file = join(folder, 'journal.ndjson')
  const bytes = readFileSync(file)
  const digit = bytes.indexOf('"sentAt":') + 9
  bytes.write(bytes[digit] === 0x39 ? '8' : '9', digit)
  writeFileSync(file, bytes)
}

/** Members that a schema takes only from a list, or in a form. */
const fixed =
  /^(seq|prev|is|id|check|subject|area|level|basis|verdict|reason|kind|profile|lifecycle|conformance|scenario|startedAt|endedAt|digest|suite|head|fileDigest|revision|expect|states|plan|optIn|clause|identifiers|method|keyid|vendor|evidence|base64)$/

/** Every text that a target can fill, in every place, says something hostile. */
function madeHostile(value: unknown, name = ''): unknown {
  if (fixed.test(name)) return value
  if (typeof value === 'string') return hostileText
  if (Array.isArray(value)) return value.map((one) => madeHostile(one, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([member, inside]) => [member, madeHostile(inside, member)]),
  )
}

export function makeHostile(folder: string): void {
  const [record, journal] = ['run.json', 'journal.ndjson'].map((name) => join(folder, name))
  const rewrite = (file: string, change: (text: string) => string): void =>
    writeFileSync(file, change(readFileSync(file, 'utf8')))
  rewrite(record ?? '', (text) => JSON.stringify(madeHostile(JSON.parse(text))))
  rewrite(journal ?? '', (text) =>
    text
      .split('\n')
      .map((line) => (line === '' ? '' : JSON.stringify(madeHostile(JSON.parse(line)))))
      .join('\n'),
  )
}

/** The last exchange again and again, until there are so many. */
export function enlarge(folder: string, count: number): void {
  const file = join(folder, 'journal.ndjson')
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const last = JSON.parse(lines.findLast((line) => line.includes('"is":"exchange"')) ?? '') as {
    exchange: { id: number }
  }
  const more = Array.from({ length: count - last.exchange.id }, (_, at) =>
    JSON.stringify({ ...last, exchange: { ...last.exchange, id: last.exchange.id + at + 1 } }),
  )
  appendFileSync(file, `${more.join('\n')}\n`)
}
