/** What is written of every counterexample: the scenario, the script, the exchanges; by path below one folder. */
import { counterexampleFolder, journalFile, type counterexampleFiles } from '../../bundle/names.ts'
import type { Exchange } from '../../bundle/exchange.ts'
import type { Run } from '../../bundle/record.ts'
import { writeJournal } from '../../bundle/journal/codec.ts'
import { evidenceFolder } from '../../bundle/journal/evidence.ts'
import { simulatorUrl, simulateAgain } from '../../bundle/curl.ts'
import { counterexamplesOf, type Origin } from './counterexample.ts'
import { scriptOf } from './file.ts'

/** A target that breaks more than this is seen to be broken without more of them. */
const most = 200

export function counterexampleFilesOf(run: Run, origin: Origin): ReadonlyMap<string, string> {
  const found = counterexamplesOf(run, origin).slice(0, most)
  // What the script uses where nothing else is set. A simulator is gone after the run; one like it can be started.
  const { record } = run
  const { target } = origin
  const start = simulateAgain(record)
  const defaults = {
    BASE_URL: start === null ? record.target.baseUrl : simulatorUrl,
    AGENT_ID: target.agents.plain,
    ...(start === null ? {} : { start }),
  }
  return new Map(
    found.flatMap((one) => {
      const { counterexample, exchanges } = one
      const contents = {
        'replay.json': `${JSON.stringify(counterexample, null, 2)}\n`,
        'repro.sh': scriptOf(counterexample, defaults),
        'exchanges.ndjson': writeJournal(exchanges.map(shortened)),
      } satisfies Record<(typeof counterexampleFiles)[number], string>
      const folder = counterexampleFolder(counterexample.check)
      return Object.entries(contents).map(([name, content]) => [`${folder}/${name}`, content])
    }),
  )
}

/** Bytes of a response that are repeated beside a counterexample; the journal of the run has all. */
const mostOfBody = 16_384

function shortened(exchange: Exchange): Exchange {
  const { response } = exchange
  const chunks = response?.chunks ?? []
  const length = chunks.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (response === null || length <= mostOfBody) return exchange
  let left = mostOfBody
  const first = chunks.flatMap(({ at, bytes }) => {
    const part = bytes.subarray(0, left)
    left -= part.length
    return part.length > 0 ? [{ at, bytes: part }] : []
  })
  const note = `…, ${length} bytes in ${evidenceFolder}/ and ${journalFile}`
  const last = { at: response.at, bytes: new TextEncoder().encode(note) }
  return { ...exchange, response: { ...response, chunks: [...first, last] } }
}
