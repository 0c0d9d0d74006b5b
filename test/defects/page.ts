/** docs/measured/defects.md: what the audit by sentence tried and found, and why the rest was not found. */
import {
  foundOf,
  parts,
  reasonsOf,
  sentencesOf,
  waysOf,
  type Found,
  type Part,
  type Reasons,
  type Said,
  type Way,
} from './lists.ts'

const names: Readonly<Record<Part, string>> = {
  chat: 'Chat',
  'idempotency-workflow-pause': 'Idempotency, Workflow, pause',
  operations: 'Operations, older variant',
  webhooks: 'Webhooks',
  'clients-receivers': 'Clients, receivers',
}

export interface Tally {
  sentences: number
  ways: number
  hard: number
  /** Those that nobody can distinguish from outside from a server that conforms. */
  undecided: number
  planted: number
  before: number
  now: number
}

const failed = (said: Said | undefined): boolean => (said?.failed.length ?? 0) > 0

export function tallyOf(part: Part, among: (way: Way) => boolean = () => true): Tally {
  const found = foundOf(part)
  const { undecided } = reasonsOf(part)
  const ways = waysOf(part).filter(among)
  const count = (is: (way: Way) => boolean): number => ways.filter(is).length
  return {
    sentences: sentencesOf(part).filter((one) => one.ways.some(among)).length,
    ways: ways.length,
    hard: count(({ hard }) => hard),
    undecided: count(({ id }) => undecided[id] !== undefined),
    planted: count(({ id }) => found[id] !== undefined),
    before: count(({ id }) => failed(found[id]?.before)),
    now: count(({ id }) => failed(found[id]?.now)),
  }
}

export function sumOf(tallies: readonly Tally[]): Tally {
  const sum = { sentences: 0, ways: 0, hard: 0, undecided: 0, planted: 0, before: 0, now: 0 }
  for (const tally of tallies)
    for (const name of Object.keys(sum) as (keyof Tally)[]) sum[name] += tally[name]
  return sum
}

const share = (part: number, whole: number): string =>
  whole === 0 ? '' : ` (${Math.floor((100 * part) / whole)} %)`

const row = (name: string, tally: Tally): readonly string[] => {
  const { sentences, ways, hard, planted, undecided, before, now } = tally
  const decided = ways - undecided
  return [
    name,
    ...[sentences, ways, hard, planted, decided].map(String),
    `${before}${share(before, decided)}`,
    `${now}${share(now, decided)}`,
  ]
}

/** What is planted and not failed, or not planted, with the reason that somebody wrote. */
export function leftOf(part: Part): readonly Way[] {
  const found = foundOf(part)
  return waysOf(part).filter(({ id }) => !failed(found[id]?.now))
}

function seenAs(said: Found[string] | undefined): string {
  if (said === undefined) return 'not planted'
  const warned = said.now?.warned ?? []
  return warned.length > 0 ? `warned of: ${warned.join(', ')}` : 'not found'
}

const kinds: Readonly<Record<keyof Reasons, string>> = {
  missed: 'it can be found, and the suite does not:',
  undecided: 'Not observable from outside:',
}

function leftLines(part: Part): string {
  const found = foundOf(part)
  const reasons = reasonsOf(part)
  const linesOf = (kind: keyof Reasons): readonly string[] => {
    const ways = leftOf(part).filter(({ id }) => reasons[kind][id] !== undefined)
    const lines = ways.map(
      ({ id, way }) => `- \`${id}\` (${seenAs(found[id])}): ${way} **Why:** ${reasons[kind][id]}`,
    )
    return lines.length === 0 ? [] : [kinds[kind], '', ...lines, '']
  }
  return [`### ${names[part]}`, '', ...linesOf('missed'), ...linesOf('undecided')].join('\n').trimEnd()
}

const table = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** The share of those that are hard. */
function hardLine(): string {
  const { ways, undecided, before, now } = sumOf(parts.map((part) => tallyOf(part, ({ hard }) => hard)))
  const decided = ways - undecided
  return `Of the hard ones alone ${decided} are decidable: ${before}${share(before, decided)} were found before, and ${now}${share(now, decided)} are now.`
}

/** What the suite finds now and did not before. */
const gainedBy = (part: Part): readonly (readonly [id: string, clauses: readonly string[]])[] =>
  Object.entries(foundOf(part)).flatMap(([id, { before, now }]) =>
    now && failed(now) && !failed(before) ? [[id, now.failed] as const] : [],
  )

function gainedLines(part: Part): string {
  const lines = gainedBy(part).map(([id, clauses]) => `- \`${id}\`: ${clauses.join(', ')}`)
  return [`### ${names[part]}`, '', ...lines].join('\n')
}

/** The paragraph of docs/proof.md that begins with its first two words. */
export function summary(): string {
  const { sentences, ways, undecided, planted, before, now } = sumOf(parts.map((part) => tallyOf(part)))
  const decided = ways - undecided
  const gained = parts.reduce((sum, part) => sum + gainedBy(part).length, 0)
  return `By sentence: ${ways} ways to break ${sentences} sentences, ${decided} of which are visible from outside. Before this audit the suite found ${before}${share(before, decided)} of these; now it finds ${now}${share(now, decided)}: ${gained} got a check, and each of the ${ways - now} that are not found has [a reason](measured/defects.md). Of all ${planted} that are planted, visible or not, it finds ${Math.floor((100 * now) / planted)} %.`
}

export function page(): string {
  const tallies = parts.map((part) => [names[part], tallyOf(part)] as const)
  const head = ['part', 'sentences', 'ways', 'hard', 'planted', 'decidable', 'found before', 'found now']
  const rows = [
    head,
    head.map(() => '---'),
    ...tallies.map(([name, tally]) => row(name, tally)),
    row('all', sumOf(tallies.map(([, tally]) => tally))),
  ]
  return `# Audit by sentence

Readers who had the contract and nothing else wrote down, for each sentence that obliges somebody, up to three ways to break it that a busy team would ship. The lists (\`test/defects/\`) were committed before any way was run. Each is planted in a server, a client or a receiver that shares no code with the simulator, and the suite in its standard profile is run against it. The ways of the older chat variant are planted in the simulator instead, which alone serves it. _Found_ means that a MUST fails; a warning does not count. _Hard_ means that one request and its response do not show it. A way is _decidable_ where the contract decides it and shows a way to see it; the shares are of those. _Before_ is what the suite found before anything was fixed for these lists.

${table(rows)}

${hardLine()}

\`npm run lab -- defects\` runs them again; \`npm run lab -- defects --part chat --missing\` those of one part that are not found.

## What got a check

The clauses that fail now.

${parts
  .filter((part) => gainedBy(part).length > 0)
  .map(gainedLines)
  .join('\n\n')}

## Not found, and why

${parts
  .filter((part) => leftOf(part).length > 0)
  .map(leftLines)
  .join('\n\n')}
`
}
