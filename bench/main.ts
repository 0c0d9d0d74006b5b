/**
 * `npm run bench [NAME...]` measures all or the named benchmarks and prints a line for each figure; `--quick` is less
 * exact. Run it alone on a machine, and write what changed into docs/internal/measured.md.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { htmlPage } from '../reports/run/page.ts'
import { runOfMany } from '../reports/testing/many-checks.testkit.ts'
import { optionsOf, refused } from '../test/options.ts'
import { executable, openViewer, why } from '../test/pages/browser.ts'
import { interleave, rowLine, type MeasuredRow, type Side } from './measure.ts'
import {
  command,
  peers,
  sampleOf,
  startBare,
  startLoader,
  startServer,
  startSimulator,
  turnOf,
  withAutoStop,
} from './processes.ts'

const { values, positionals } = optionsOf({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
})
const [rounds, ms, runs] = values.quick ? [3, 400, 1] : [9, 1_200, 3]

async function startup(): Promise<readonly MeasuredRow[]> {
  const side = (name: string, start: () => ReturnType<typeof startServer>): Side => ({
    name,
    once: () => withAutoStop(async (autoStop) => (await autoStop(start())).startedIn),
  })
  const [ours, ...theirs] = await interleave(
    [
      side('touchstone simulate', () => startServer([command, 'simulate', '--json'], '/healthz')),
      ...peers.map(({ name, start }) => side(name, start)),
    ],
    rounds,
  )
  const goals: Readonly<Record<string, number>> = { 'prism mock': 0.2, aimock: 1 }
  const row = { what: 'from the command to the first 200', unit: 'ms', better: 'lower', ours } as const
  return theirs.map((their) => ({ ...row, theirs: their, goal: goals[their.name] }))
}

interface TurnCase {
  readonly what: string
  readonly unit: string
  /** Chooses the reply rule. */
  readonly message: string
  readonly stream?: true
  readonly gapMs?: number
  readonly connections: number
  readonly goals: Readonly<Record<string, number>>
}

/** Turns a second, beside a bare server that sends the same bytes and the peers that can do the same. */
const turns =
  ({ what, unit, message, stream, gapMs = 0, connections, goals }: TurnCase) =>
  (): Promise<readonly MeasuredRow[]> =>
    withAutoStop(async (autoStop) => {
      const loader = await autoStop(startLoader())
      const { ready } = await autoStop(startSimulator())
      const extra = stream ? { stream } : {}
      const turn = turnOf(ready, message, extra)
      const bare = await autoStop(startBare(await sampleOf(ready.port, turn, gapMs)))
      const side = (name: string, port: number, sent = turn): Side => ({
        name,
        once: async () => (await loader.load({ ...sent, port, connections, ms })).rate,
      })
      const others = [side('bare node:http', bare.ready)]
      // Prism, which mocks our document, does not stream.
      for (const peer of peers.filter((one) => !stream || one.turn)) {
        const { port } = await autoStop(peer.start())
        others.push(side(peer.name, port, peer.turn?.(message, extra)))
      }
      const [ours, ...theirs] = await interleave([side('simulator', ready.port), ...others], rounds)
      return theirs.map((their) => ({
        what,
        unit,
        better: 'higher',
        ours,
        theirs: their,
        goal: goals[their.name],
      }))
    })

/** The slowest hundredth of turns over 1,000 connections, and the memory of a server that has had them. */
async function connections(): Promise<readonly MeasuredRow[]> {
  const rss: Record<'simulator' | 'bare node:http', number[]> = { simulator: [], 'bare node:http': [] }
  const side = (name: keyof typeof rss): Side => ({
    name,
    // A server of its own for each round: memory that one round freed would hide what the next one takes.
    once: () =>
      withAutoStop(async (autoStop) => {
        const loader = await autoStop(startLoader())
        const simulator = await autoStop(startSimulator())
        const turn = turnOf(simulator.ready, 'Where is my order?', {})
        const bare = await autoStop(startBare(await sampleOf(simulator.ready.port, turn)))
        const [server, port] = name === 'simulator' ? [simulator, simulator.ready.port] : [bare, bare.ready]
        const { p99 } = await loader.load({ ...turn, port, connections: 1_000, ms: 5 * ms })
        rss[name].push(Number(await server.ask('rss')) / 1e6)
        return p99
      }),
  })
  const [ours, theirs] = await interleave([side('simulator'), side('bare node:http')], runs)
  const memory = (name: keyof typeof rss) => ({ name, values: rss[name].slice(1) })
  const row = { better: 'lower' } as const
  return [
    { ...row, what: '1,000 connections: p99 of a turn', unit: 'ms', ours, theirs },
    {
      ...row,
      what: '1,000 connections: resident memory',
      unit: 'MB',
      ours: memory('simulator'),
      theirs: memory('bare node:http'),
    },
  ]
}

interface Profiled {
  readonly wall: number
  readonly busy: number
  readonly requests: number
}

/** Writes the processor time of its process to the file of BENCH_CPU. */
const writesUsage =
  "import{writeFileSync}from'node:fs';process.on('exit',()=>{const{user,system}=process.cpuUsage();writeFileSync(process.env.BENCH_CPU,String(user+system))})"

/** `touchstone check simulator`, as a user has it. Throws unless it is conformant. */
function profileRun(): Profiled {
  const out = mkdtempSync(join(tmpdir(), 'touchstone-bench-'))
  try {
    const usage = join(out, 'usage')
    const args = [
      '--import',
      `data:text/javascript,${writesUsage}`,
      command,
      'check',
      'simulator',
      '--out',
      join(out, 'run'),
    ]
    const began = performance.now()
    const { status, stderr } = spawnSync(process.execPath, args, {
      env: { ...process.env, BENCH_CPU: usage },
      encoding: 'utf8',
    })
    const wall = (performance.now() - began) / 1_000
    if (status !== 0) throw new Error(`check simulator ended with ${status}: ${stderr.slice(-500)}`)
    const { used } = JSON.parse(readFileSync(join(out, 'run/run.json'), 'utf8')) as {
      used: { requests: number }
    }
    return { wall, busy: Number(readFileSync(usage, 'utf8')) / 1e6, requests: used.requests }
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

async function profile(): Promise<readonly MeasuredRow[]> {
  const measured = Array.from({ length: runs }, profileRun)
  const row = (what: string, unit: string, goal: number, pick: (run: Profiled) => number): MeasuredRow => ({
    what: `standard profile: ${what}`,
    unit,
    better: 'lower',
    ours: { name: 'touchstone check simulator', values: measured.map(pick) },
    goal,
  })
  return [
    row('time', 's', 5, ({ wall }) => wall),
    row('processor time', 's', 2, ({ busy }) => busy),
    row('sent', 'requests', 1_200, ({ requests }) => requests),
  ]
}

/** The HTML report of 800 checks: its size, and the time to render it and to show it in a browser. */
async function report(): Promise<readonly MeasuredRow[]> {
  const run = runOfMany(800, 'fail', (check) => `status 200 in check ${check}`)
  const markup = String(htmlPage.render(run))
  const render: Side = {
    name: 'made',
    once: async () => {
      const began = performance.now()
      htmlPage.render(run)
      return performance.now() - began
    },
  }
  const row = (what: string, unit: string, goal: number, given: readonly number[]): MeasuredRow => ({
    what: `HTML report of 800 checks: ${what}`,
    unit,
    better: 'lower',
    ours: { name: 'report.html', values: given },
    goal,
  })
  const [made] = await interleave([render], rounds)
  const rows = [row('size', 'MB', 1, [Buffer.byteLength(markup) / 1e6]), row('made', 'ms', 500, made.values)]
  if (executable === undefined) {
    console.error(`skipping the report in a browser: ${why}`)
    return rows
  }
  const viewer = await openViewer()
  try {
    const show: Side = {
      name: 'shown',
      // From a new tab to the frame after the page was laid out.
      once: async () => {
        const page = await viewer.show(markup)
        const frame =
          'new Promise((drawn) => requestAnimationFrame(() => setTimeout(() => drawn(performance.now()))))'
        const shown = await page.evaluate<number>(frame)
        await page.context().close()
        return shown
      },
    }
    const [shown] = await interleave([show], rounds)
    return [...rows, row('shown in Chromium', 'ms', 500, shown.values)]
  } finally {
    await viewer.close()
  }
}

const benches: Readonly<Record<string, () => Promise<readonly MeasuredRow[]>>> = {
  startup,
  turns: turns({
    what: 'JSON turns, 10 connections',
    unit: 'turns/s',
    message: 'Where is my order?',
    connections: 10,
    goals: { 'bare node:http': 0.55, 'prism mock': 8, aimock: 1 },
  }),
  streams: turns({
    what: '20 tokens streamed in one go',
    unit: 'streams/s',
    message: 'in one go',
    stream: true,
    connections: 10,
    goals: { 'bare node:http': 0.6, aimock: 1 },
  }),
  flushed: turns({
    what: '20 tokens streamed, each flushed',
    unit: 'streams/s',
    message: 'one by one',
    stream: true,
    gapMs: 1,
    // Enough to keep a core busy.
    connections: 200,
    goals: { 'bare node:http': 1, aimock: 1 },
  }),
  connections,
  profile,
  report,
}

const unknown = positionals.filter((name) => !Object.hasOwn(benches, name))
if (unknown.length > 0)
  refused(`there is no benchmark ${unknown.join(', ')}; choose from ${Object.keys(benches).join(', ')}.`)
for (const [name, measure] of Object.entries(benches))
  if (positionals.length === 0 || positionals.includes(name))
    for (const row of await measure()) console.log(rowLine(row))
