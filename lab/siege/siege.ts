/** Everything at once: attackers, faults of processes, stores and disks, and honest clients with an oracle. */
import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import { createRandom, type Random } from '../../simulator/tenant/random.ts'
import { startArmy, type Army } from './army.ts'
import type { AttackReport } from './attackers.ts'
import type { Latencies } from './call.ts'
import { openGarrison, type Garrison } from './garrison.ts'
import { createPhases, type Phases } from './phases.ts'
import { startService, waitedOf, type Service, type StoreKind } from './service.ts'
import { latencyOf, latencyProblems, type Summary, type Waited } from './summary.ts'
import { mebibytes, memoryOf, memoryProblems } from './memory.ts'
import { accesses } from './tenants.ts'

export interface SiegeOptions {
  readonly store: StoreKind
  readonly minutes: number
  readonly seed: string
  /** Attacks whose name has this part; all of them where it is empty. */
  readonly only: string
  readonly say: (line: string) => void
}

/** Parts of a round, in ms. */
const quietMs = 15_000
const siegeMs = 25_000
const drainMs = 3_000
const faultsPerRound = 2
const sampleMs = 500

/** Why a replica is not healthy; an empty text where it is. Asked on a connection of its own, as a new client does. */
async function ailing(url: string): Promise<string> {
  try {
    const { statusCode, body } = await request(`${url}/healthz`, { reset: true })
    const text = await body.text()
    return statusCode === 200 ? '' : `${statusCode} ${text}`
  } catch (error) {
    return String(error)
  }
}

/** A fault is over when every replica is healthy again, and a lease that a dead one held has expired. */
async function recovered({ urls, recoveryMs }: Service): Promise<void> {
  await pause(recoveryMs)
  for (let left = 300; left > 0; left--) {
    const problems = await Promise.all(urls.map(ailing))
    if (problems.every((problem) => problem === '')) return
    await pause(100)
  }
  throw new Error('the service did not recover within 30 seconds')
}

interface Watch {
  readonly rss: number[]
  /** Shares of time in which replicas waited for a processor, by phase. */
  readonly waited: Waited
  readonly clientsWaited: Waited
  /** Of health checks, which come on new connections. */
  readonly connected: Latencies
  checks: number
  stop(): void
}

/** Samples memory and waits for a processor, and asks for the health of each replica: outside of every fault it is 200. */
function watch(service: Service, phases: Phases, violate: (words: string) => void): Watch {
  const waited: Waited = { quiet: [], siege: [] }
  const clientsWaited: Waited = { quiet: [], siege: [] }
  const connected: Latencies = { quiet: [], siege: [] }
  const stop = (): void => clearInterval(timer)
  const seen: Watch = { rss: [], waited, clientsWaited, connected, checks: 0, stop }
  const look = () => ({ at: performance.now(), ms: service.waitedMs(), clientsMs: waitedOf(process.pid) })
  let last = look()
  const check = async (url: string): Promise<void> => {
    const { phase } = phases
    const began = performance.now()
    const problem = await ailing(url)
    const ended = performance.now()
    seen.checks++
    if (phases.declared(began, ended)) return
    if (phase !== 'between') connected[phase].push(ended - began)
    if (problem !== '') violate(`the health check failed after ${(ended - began).toFixed(0)} ms: ${problem}`)
  }
  const timer = setInterval(() => {
    seen.rss.push(service.rss())
    const now = look()
    const { phase } = phases
    if (phase !== 'between') {
      waited[phase].push((now.ms - last.ms) / (now.at - last.at))
      clientsWaited[phase].push((now.clientsMs - last.clientsMs) / (now.at - last.at))
    }
    last = now
    for (const url of service.urls) void check(url)
  }, sampleMs)
  return seen
}

interface Round {
  readonly service: Service
  readonly phases: Phases
  readonly army: Army
  readonly garrison: Garrison
  readonly random: Random
  readonly faults: Record<string, number>
}

/** The one that was brought about least often so far, or one of these. */
async function fault({ service, phases, random, faults }: Round): Promise<void> {
  const count = (name: string): number => faults[name] ?? 0
  const all = Object.keys(service.faults)
  const least = Math.min(...all.map(count))
  const names = all.filter((name) => count(name) === least)
  const name = names[random.below(names.length)] ?? ''
  faults[name] = count(name) + 1
  const over = phases.declare()
  await service.faults[name]?.()
  await recovered(service)
  over()
}

async function round(options: Round): Promise<AttackReport> {
  const { phases, army, garrison } = options
  let report: AttackReport | undefined
  await garrison.during(async () => {
    phases.phase = 'quiet'
    await pause(quietMs)
    phases.phase = 'siege'
    army.begin()
    await pause(siegeMs)
    phases.phase = 'between'
    const broken = Object.keys(options.service.faults).length === 0 ? 0 : faultsPerRound
    for (let done = 0; done < broken; done++) {
      await fault(options)
      await pause(options.random.below(1_000))
    }
    report = await army.end()
    await pause(drainMs)
  })
  await garrison.audit()
  return report ?? { acts: {}, received: 0, defects: 0 }
}

const figures = ({ caller }: Garrison): string => {
  const [quiet, siege] = [latencyOf(caller.latencies.quiet), latencyOf(caller.latencies.siege)]
  return `p99 quiet ${quiet.p99.toFixed(1)} ms, besieged ${siege.p99.toFixed(1)} ms`
}

export async function besiege({ store, minutes, seed, only, say }: SiegeOptions): Promise<Summary> {
  const { honest } = await accesses()
  const random = createRandom(`siege/${seed}`)
  const phases = createPhases()
  await using service = await startService(store)
  await using garrison = await openGarrison({
    urls: service.urls,
    access: honest,
    phases,
    random: random.fork('honest'),
    run: seed,
  })
  await using army = startArmy(seed, only, service.urls)
  const { oracle, caller } = garrison
  const faults: Record<string, number> = {}
  const began = performance.now()
  const passed = (): number => (performance.now() - began) / 60_000
  const watched = watch(service, phases, (words) => oracle.violate(words))
  let report: AttackReport = { acts: {}, received: 0, defects: 0 }
  let ended = ''
  while (passed() < minutes && ended === '') {
    try {
      report = await round({ service, phases, army, garrison, random, faults })
    } catch (error) {
      // What was found until then is worth its report, and other stores have their turn.
      ended = `the siege ended early: ${error instanceof Error ? error.message : String(error)}`
    }
    const memory = mebibytes(watched.rss.at(-1) ?? 0)
    say(
      `${passed().toFixed(1)} min: ${oracle.entries.length} keys, ${figures(garrison)}, ` +
        `memory ${memory.toFixed(0)} MiB, ${oracle.violations.length} violations`,
    )
  }
  watched.stop()
  const printed = service.replicas.flatMap((replica) => replica.printed.split('\n'))
  const violations = [
    ...oracle.violations,
    ...(ended === '' ? [] : [ended]),
    ...printed.filter((line) => line.startsWith('error:')),
    ...(report.defects > 0 ? [`${report.defects} hostile requests were answered 500`] : []),
    ...latencyProblems(caller.latencies),
    ...memoryProblems(memoryOf(watched.rss), service.replicas.length),
  ]
  return {
    store,
    minutes: passed(),
    latencies: caller.latencies,
    rss: watched.rss,
    waited: watched.waited,
    clientsWaited: watched.clientsWaited,
    connected: watched.connected,
    replicas: service.replicas.length,
    disk: service.diskWay,
    leftOut: service.leftOut,
    acts: report.acts,
    received: report.received,
    faults,
    entries: oracle.entries.length,
    deliveries: oracle.arrivals,
    health: watched.checks,
    violations,
  }
}
