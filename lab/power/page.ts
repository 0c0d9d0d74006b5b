/** The page of the measurements. Pure: the same summary gives the same page. */
import { faults } from '../../simulator/index.ts'
import { hardFaults } from './hard-faults.ts'
import { atMost, shortfalls, type Alarms, type Measured, type Spread, type Summary } from './summary.ts'

export interface Making {
  /** ISO date. */
  on: string
  version: string
  sources: string
  cores: number
  node: string
}

export function pageOf(summary: Summary, making: Making): string {
  const { faults: rows, requests, clean, variants } = summary
  const seeds = Math.max(0, ...rows.map((row) => row.seeds))
  const short = shortfalls(summary)
  return `# Detection power: how soon a hard fault is found, and how often there is a false alarm

Made by \`npm run lab -- power\` on ${making.on} with version ${making.version} (sources ${making.sources}), Node ${making.node}, on ${making.cores} cores. Do not edit it; run that command again.

A check that can fail is worth something only if it does fail in time, and only then. So the faults that are hard to find are planted in the simulator, one at a time, and the suite is run with ${seeds === 1 ? 'one seed' : `${seeds} seeds`} each. Then nothing is planted, and whatever turns red is a false alarm.

- Found in the smoke profile: ${percent(summary.shares.smoke)} of all runs. In the standard profile: **${percent(summary.shares.standard)}**. In the exhaustive profile: **${percent(summary.shares.exhaustive)}**.
- False alarms: **${clean.red.length + variants.red.length} in ${clean.runs + variants.runs} runs** of the standard profile: ${alarmsOf(clean)} of the plain simulator, ${alarmsOf(variants)} of ${variants.different} variants that are unusual and conform.
- To reach, with 20 seeds for each fault and 200 runs each without one: every fault in the exhaustive profile with every seed, 95 of 100 runs in the standard profile, no false alarm. ${short.length === 0 ? 'All of it is reached.' : `Not reached:\n${short.map((line) => `  - ${line}`).join('\n')}`}

## How to read it

_Requests_ are those that the profile sends until the scenario has ended in which a clause fails that the fault breaks: the sum over all scenarios up to that one, in the order of the profile, each with what it takes where nothing is wrong. Median and largest number over the seeds that found it. A whole run takes ${requests.smoke} requests in the smoke profile, ${requests.standard} in the standard and ${requests.exhaustive} in the exhaustive one; the free requests come first, then those that run a turn, then those that wait, so that a number says more about the place of a scenario than about its worth.

_Shrinking_: where the first drawn course that failed was made small, the requests that took; – where no scenario that draws its course turned red.

_Found_: with how many of the ${seeds} seeds, in the smoke, the standard and the exhaustive profile. Each profile holds the ones before it.

The seeds decide what is drawn: texts, keys, lengths, the order of steps. Races, clocks and the ids of the simulator are as they come.

| fault | what is wrong | hard by | requests, standard: median (max) | requests, exhaustive: median (max) | shrinking: median (max) | found |
| --- | --- | --- | --: | --: | --: | --- |
${rows.map(rowOf).join('\n')}

## What no false alarm in so many runs says

Where nothing happened in _n_ runs that do not depend on one another, it happens with a probability of less than 3/_n_ in each, with 95 % confidence. For the plain simulator that is at most ${bound(clean.runs)} of the runs of the whole standard profile, and for all runs together ${bound(clean.runs + variants.runs)}. It says nothing of servers that do what no variant does.
`
}

function alarmsOf({ runs, red }: Alarms): string {
  return `${red.length} in ${runs}`
}

function rowOf({ fault, seeds, found, shrinking }: Measured): string {
  const { smoke, standard, exhaustive } = found
  const counts = [smoke, standard, exhaustive].map((one) => `${one.seeds}`).join(' · ')
  const cells = [
    `\`${fault}\``,
    faults[fault].title.replaceAll('|', '\\|'),
    hardFaults[fault],
    spread(standard.requests),
    spread(exhaustive.requests),
    spread(shrinking),
    `${counts} of ${seeds}`,
  ]
  return `| ${cells.join(' | ')} |`
}

function spread(of: Spread | null): string {
  return of === null ? '–' : `${of.median} (${of.max})`
}

/** Rounded up, as an upper bound has to be. */
function bound(runs: number): string {
  return `${Math.ceil(atMost(runs) * 10_000 - 1e-9) / 100} %`
}

/** Rounded down: nothing that is missed is rounded away. */
export function percent(share: number): string {
  return `${Math.floor(share * 1000 + 1e-9) / 10} %`
}
