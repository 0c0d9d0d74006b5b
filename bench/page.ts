/** Writes docs/measured/performance.md and its picture from the results and the notes. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './cache.ts'
import type { Figure } from './figures.ts'
import { notes } from './notes.ts'
import { plot } from './plot.ts'
import type { DatedRow, Results } from './results.ts'
import { formatRange, reachedText, goalText, formatNumber } from './format.ts'

export function writePage(results: Results): void {
  writeFileSync(join(root, 'docs/images/performance.svg'), plot(results.rows))
  writeFileSync(join(root, 'docs/measured/performance.md'), pageOf(results))
}

export function pageOf({ machine, rows }: Results): string {
  const { processor, cores, memory, system, node } = machine
  return `# How fast it is

\`npm run bench\` measures the simulator and the suite against alternatives in the same run. A ratio compares two sides of one run; absolute figures depend on the machine, for the newest rows ${cores} cores of ${processor}, ${memory} GB, ${system}, Node ${node.replace(/^v/, '')}.

![Each figure that has a goal, relative to that goal](../images/performance.svg)

A dot is the median, the bar the middle half of the rounds. Right of the line exceeds the goal.

${table(rows)}
Brackets: quartiles. Ratio: ours divided by theirs, per round.

${notesOf(rows)}## How it is measured

- **In pairs.** After a warm-up round, every round measures each side once, in alternating order. The ratio is computed per round, so that a busy machine affects both sides.
- **In separate processes.** Servers and load generators have a process each, and use loopback only.
- **With our own load generator.** Every turn needs a new idempotency key in its body, or all but the first would be replays; and on two cores an expensive generator would limit the result. So it sends prepared bytes with the key replaced, one request in flight per socket. A response other than 200 aborts the benchmark.
- **Against the same bytes.** The bare server reads and parses the body and returns the simulator's headers and bytes, in as many writes.
- **Prism and Mockoon** mock our OpenAPI document and store nothing. **aimock** answers the OpenAI API with replies of our length, in twenty pieces where it streams, and stores nothing but its latest requests. Mockoon and aimock are installed on first use, and skipped if they are unavailable.
- **Streams.** _In one go_: every token is a write, and all leave together. _Each flushed_: a millisecond before each token, on two hundred connections, which keeps a core busy.
- **Not waiting** is the processor time of the process that has both suite and simulator, including compilation and garbage collection; the rest of a run waits for times that the contract sets. Each run is the first of its process.
- **Keys** are claimed by turns without a socket; memory is read after a full garbage collection.

\`\`\`
npm run bench                      # all; writes bench/results.json and this page
npm run bench -- turns streams     # only these; the other rows stay
npm run bench -- --quick           # two minutes, less exact; writes nothing
npm run bench -- --check           # a minute, part of CI: startup, turns and streams; fails if a ratio got worse
\`\`\`

Each run reports figures that are worse than in bench/results.json: separate quartiles, and a median worse by more than a tenth. Figures without a peer are compared only with those of the same kind of machine. \`--check\` must not fail because a machine is busy: it ignores ratios that reach their goal, allows a quarter, measures what is worse once more with more rounds, and checks nothing while other processes use over a quarter of the processors.
`
}

function table(rows: readonly DatedRow[]): string {
  const head = ['what', 'ours', 'peer', 'theirs', 'ratio', 'goal', '', 'rounds', 'measured']
  const lines = rows.map((row) => {
    const { what, ours, theirs, ratio, unit, rounds, date } = row
    return [
      what,
      `${figure(ours)} ${unit}`,
      theirs?.name ?? '',
      theirs ? `${figure(theirs)} ${unit}` : '',
      ratio ? figure(ratio) : '',
      goalText(row),
      reachedText(row),
      String(rounds),
      date,
    ]
  })
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}

function figure(spread: Omit<Figure, 'name'>): string {
  return spread.low === spread.high
    ? formatNumber(spread.median)
    : `${formatNumber(spread.median)} (${formatRange(spread)})`
}

function notesOf(rows: readonly DatedRow[]): string {
  const lines = rows.flatMap(({ id, what, theirs }) => {
    const note = notes[id]
    return note ? [`- **${theirs ? `${what}, against ${theirs.name}` : what}**: ${note}`] : []
  })
  return lines.length > 0 ? `## Where the time goes\n\n${lines.join('\n')}\n\n` : ''
}
