/** docs/performance.md and its picture: nothing in them that is not in the results or in the notes. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './cache.ts'
import type { Figure } from './figures.ts'
import { notes } from './notes.ts'
import { plot } from './plot.ts'
import type { KeptRow, Results } from './results.ts'
import { between, reachedWords, reachWords, shown } from './words.ts'

export function writePage(results: Results): void {
  writeFileSync(join(root, 'docs/images/performance.svg'), plot(results.rows))
  writeFileSync(join(root, 'docs/performance.md'), pageOf(results))
}

export function pageOf({ machine, rows }: Results): string {
  const { processor, cores, memory, system, node } = machine
  return `# How fast it is

What is measured here is measured by \`npm run bench\`, beside what others would use instead, both sides in one run. A ratio is of this run; an absolute figure is of the machine: ${cores} cores of ${processor}, ${memory} GB, ${system}, Node ${node.replace(/^v/, '')}.

![Each figure that has a goal, and how far from it it lies](images/performance.svg)

A dot is the median, the bar behind it what half of the rounds lie within. Right of the line is better than it has to be.

${table(rows)}
In brackets the quartiles. A ratio is ours through theirs, round by round.

${notesOf(rows)}## How it is measured

- **In pairs.** Every round measures each side once, every other round in the opposite order, after one round that warms up and does not count. The ratio is taken within each round, so that a machine that is busy is busy for both.
- **In processes of their own.** Each server and whoever sends the load has a process; nothing leaves the loopback interface, and every process ends with its bench.
- **With a sender of our own.** Every turn needs a fresh idempotency key in its body, or all but the first would be replays; and on two cores a sender that costs as much as the server would be what is measured. So requests are bytes made once, in which the key is overwritten, on sockets with one request each under way. An answer that is not 200 ends the bench.
- **Against the same bytes.** The bare server reads and parses the body, and answers with the headers and the bytes that the simulator gave, in as many writes.
- **Prism and Mockoon** mock our own OpenAPI document and remember nothing. Mockoon is installed when it is first needed, and left out where it cannot be had.
- **Streams.** _In one go_ is how a turn without a pace is written: every token is a write, and all of them leave together. _Each flushed_ has a millisecond before each token, on two hundred connections, which is enough to keep a core busy.
- **Not waiting** is the processor time of the one process that has both the suite and the simulator, compiling and collecting included; the rest of a run waits for the contract's own clocks. Each run is the first of its process, as a user's is.
- **Keys** are claimed by turns without a socket in between, and memory is read after a full collection.

\`\`\`
npm run bench                      # everything; writes bench/results.json and this page
npm run bench -- turns streams     # these alone, the other rows stay
npm run bench -- --quick           # a look in two minutes; writes nothing
npm run bench -- --check           # writes nothing, fails where something got worse
\`\`\`

Each run says what got worse than bench/results.json has it: where the quartiles lie apart from what they were, and the median by more than a tenth. Figures without a peer are only held against those of the same kind of machine.
`
}

function table(rows: readonly KeptRow[]): string {
  const head = ['what', 'ours', 'beside', 'theirs', 'ratio', 'to reach', '', 'rounds']
  const lines = rows.map((row) => {
    const { what, ours, theirs, ratio, unit, rounds } = row
    return [
      what,
      `${figure(ours)} ${unit}`,
      theirs?.name ?? '',
      theirs ? `${figure(theirs)} ${unit}` : '',
      ratio ? figure(ratio) : '',
      reachWords(row),
      reachedWords(row),
      String(rounds),
    ]
  })
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}

function figure(spread: Omit<Figure, 'name'>): string {
  return spread.low === spread.high ? shown(spread.median) : `${shown(spread.median)} (${between(spread)})`
}

function notesOf(rows: readonly KeptRow[]): string {
  const told = rows.flatMap(({ id, what, theirs }) => {
    const note = notes[id]
    return note ? [`- **${theirs ? `${what}, beside ${theirs.name}` : what}**: ${note}`] : []
  })
  return told.length > 0 ? `## What it goes into\n\n${told.join('\n')}\n\n` : ''
}
