/** `npm run lab -- fuzz`: feeds what strangers may send to everything that reads it. Ends with a line of figures. */
import { recordCorpus, corpusOf } from './corpus.ts'
import { closeNetwork } from './closed-network.ts'
import { fuzz } from './threads.ts'
import { createFindings, readFinding } from './findings.ts'
import { oneOf, optionsOf, whole } from '../../test/options.ts'
import { surfaces } from './surfaces/index.ts'

const { values } = optionsOf({
  options: {
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    inputs: { type: 'string' },
    seconds: { type: 'string' },
    threads: { type: 'string', default: '2' },
    findings: { type: 'string', default: 'fuzz-findings' },
    replay: { type: 'string' },
  },
})

const standardInputs = 220_000

/** How many inputs each surface gets, by its parts. */
function inputsOf(names: readonly string[], total: number): ReadonlyMap<string, number> {
  const parts = names.map((name) => surfaces[name]?.parts ?? 0)
  const all = parts.reduce((sum, part) => sum + part, 0)
  return new Map(names.map((name, at) => [name, Math.ceil((total * (parts[at] ?? 0)) / all)]))
}

/** Feeds the input of a finding once more: what it throws is shown. */
async function replay(file: string): Promise<void> {
  const { surface, input } = readFinding(file)
  const corpus = corpusOf(await recordCorpus())
  closeNetwork()
  const feed = await surfaces[surface]?.open(corpus)
  await feed?.feed(input)
  await feed?.checkHealth?.()
  await feed?.close?.()
  console.log(`${surface}: the input does no harm`)
}

async function main(): Promise<number> {
  const seed = whole('seed', values.seed)
  const only = values.only
  const all = Object.keys(surfaces)
  const names = only?.split(',').map((name) => oneOf('--only', name, all)) ?? all
  const seconds = values.seconds === undefined ? null : whole('seconds', values.seconds)
  const total =
    values.inputs === undefined ? (seconds === null ? standardInputs : 1e9) : whole('inputs', values.inputs)
  console.log(`seed ${seed}`)
  const recorded = await recordCorpus()
  const findings = createFindings(seed)
  const fed = new Map<string, { inputs: number; ms: number; heapMb: number }>()
  const orders = {
    seed,
    recorded,
    inputs: inputsOf(names, total),
    names: Object.keys(surfaces),
    secondsEach: seconds === null ? null : seconds / names.length,
    threads: whole('threads', values.threads),
  }
  await fuzz(orders, (reported) => {
    if (reported.is === 'defect') return findings.add(reported)
    const before = fed.get(reported.surface) ?? { inputs: 0, ms: 0, heapMb: 0 }
    const [inputs, ms] = [before.inputs + reported.inputs, before.ms + reported.ms]
    fed.set(reported.surface, { inputs, ms, heapMb: Math.max(before.heapMb, reported.heapMb) })
  })
  for (const [name, { inputs, ms, heapMb }] of fed)
    console.log(`${name.padEnd(14)} ${`${inputs}`.padStart(7)} inputs  ${`${Math.round((inputs * 1_000) / ms)}`.padStart(6)}/s per thread  ${heapMb.toFixed(1).padStart(5)} MB kept`) // prettier-ignore
  for (const line of findings.write(values.findings)) console.log(line)
  const inputs = [...fed.values()].reduce((sum, one) => sum + one.inputs, 0)
  const { user, system } = process.cpuUsage()
  console.log(
    `${Math.round(performance.now() / 1_000)} s, ${Math.round((user + system) / 1e6)} s of them on processors`,
  )
  console.log(`${inputs} inputs, ${fed.size} surfaces, ${findings.count} defects`)
  return findings.count === 0 && fed.size === names.length ? 0 : 1
}

if (values.replay === undefined) process.exit(await main())
else await replay(values.replay)
