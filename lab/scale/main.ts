/**
 * `npm run lab -- scale [PART...]` measures unit costs, simulates a sandbox of many developers, and writes
 * lab/scale/scale.json, lab/scale/report.md and docs/scale.md. `--quick` is less exact; `--write` measures nothing and
 * rewrites both pages from the file. With names of parts, only those are measured again.
 */
import { parseArgs } from 'node:util'
import { machine } from '../../bench/machine.ts'
import { commits } from './commits.ts'
import { extents, type Extent, type ExtentName } from './extent.ts'
import { writePage } from './report/page.ts'
import { writeReport } from './report/report.ts'
import { tenantCosts } from './tenant-costs.ts'
import { readScale, writeScale, type ScaleResults } from './results.ts'
import { rows } from './rows.ts'
import { simulation } from './simulation.ts'
import { spreadTurns } from './spread.ts'
import { turns } from './turns.ts'

type Found = Partial<Omit<ScaleResults, 'figures'>> & { readonly figures?: Partial<ScaleResults['figures']> }

const parts: Readonly<Record<string, (extent: Extent) => Promise<Found>>> = {
  turns: async (extent) => ({ figures: await turns(extent) }),
  tenants: async (extent) => {
    const { found, loadTimes: takings } = await tenantCosts(extent)
    return { figures: found, loadTimes: takings }
  },
  rows: async () => ({ figures: await rows() }),
  commits: async (extent) => ({ commits: await commits(extent) }),
  spread: async (extent) => ({ spread: await spreadTurns(extent) }),
  simulation: async (extent) => ({ simulation: await simulation(extent) }),
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const unknown = positionals.filter((name) => !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  console.error(`unknown part ${unknown.join(', ')}; choose from ${Object.keys(parts).join(', ')}`)
  process.exit(2)
}

async function measured(extent: ExtentName): Promise<ScaleResults> {
  let results = readScale()
  for (const [name, measure] of Object.entries(parts)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue
    const began = performance.now()
    const found = await measure(extents[extent])
    console.log(`${name}, ${Math.round((performance.now() - began) / 1_000)} s: ${JSON.stringify(found)}`)
    results = { ...results, ...found, figures: { ...results.figures, ...found.figures } }
  }
  const date = new Date().toISOString().slice(0, 10)
  return { ...results, machine: machine(), date, extent }
}

if (!values.write) writeScale(await measured(values.quick ? 'quick' : 'full'))
writeReport(readScale())
writePage(readScale())
