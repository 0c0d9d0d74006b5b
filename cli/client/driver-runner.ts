/** A client that is started once: it gets a JSON line for each act on standard input, and says when that is done. */
import { spawn, type ChildProcess } from 'node:child_process'
import type { Assignment, Performer } from '../../suites/clients/execution/client-runner.ts'
import type { Performance, Told } from '../../suites/clients/execution/report.ts'
import type { Clock } from '../../suites/wire/clock.ts'
import { killGroup, letGo } from './child-process.ts'
import { keepFirst, type Printed } from './printed.ts'
import { keepTold, listen } from './report-lines.ts'

export interface DriverOptions {
  words: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
  /** Words for a person, with the name of the act. */
  onWords: (act: string, words: string) => void
}

/** A driver that was started anew this often without an act done is not started any more. */
const mostRestarts = 3
const shownBytes = 4 << 10

interface At {
  id: number
  kept: ReturnType<typeof keepTold>
  stderr: Printed
  end: () => void
  onProblem: (problem: string) => void
}

/** One process of the driver. What it says between two acts is nobody's. */
interface Driver {
  child: ChildProcess
  /** Aborts when it has gone away. */
  gone: AbortSignal
  /** The act that it is at. */
  at: At | null
}

export function driverPerformer(options: DriverOptions): Performer {
  let driver: Driver | null = null
  let restarts = -1
  let acts = 0

  const running = (): Driver | null => {
    if (driver && !driver.gone.aborted) return driver
    if (restarts >= mostRestarts) return null
    restarts++
    return (driver = startDriver(options))
  }
  const end = (): void => {
    if (!driver) return
    killGroup(driver.child.pid)
    letGo(driver.child)
    driver = null
  }

  return {
    atOnce: 1,
    async perform(assignment, signal) {
      const current = running()
      if (current === null) return lost('the driver went away again and again, and is not started any more\n')
      const { ended, told, stderr } = await drive(current, ++acts, assignment, signal, options)
      // What does not answer any more would be taken for slow in the next act.
      if (ended === 'done') restarts = 0
      else end()
      return { ended, exitCode: null, told, stdout: '', stderr }
    },
    close() {
      end()
      return Promise.resolve()
    },
  }
}

function lost(stderr: string): Performance {
  return { ended: 'lost', exitCode: null, told: [], stdout: '', stderr }
}

async function drive(
  driver: Driver,
  id: number,
  { name, stage, task, limitMs }: Assignment,
  signal: AbortSignal,
  { clock, onWords }: DriverOptions,
): Promise<{ ended: Performance['ended']; told: readonly Told[]; stderr: string }> {
  const done = new AbortController()
  const at: At = {
    id,
    kept: keepTold(),
    stderr: keepFirst(shownBytes),
    end: () => done.abort(),
    onProblem: (problem) => onWords(name, problem),
  }
  driver.at = at
  const { baseUrl, apiKey, agent } = stage
  driver.child.stdin?.write(`${JSON.stringify({ id, baseUrl, apiKey, agent, task })}\n`)
  await clock.sleep(limitMs, AbortSignal.any([done.signal, driver.gone, signal]))
  driver.at = null
  const ended = done.signal.aborted ? 'done' : driver.gone.aborted ? 'lost' : 'timeout'
  return { ended, told: at.kept.told, stderr: at.stderr.text() }
}

function startDriver({ words: [program = '', ...words], env }: DriverOptions): Driver {
  const child = spawn(program, words, { env: { ...env }, detached: true, stdio: 'pipe' })
  const gone = new AbortController()
  const driver: Driver = { child, gone: gone.signal, at: null }
  const said = listen({
    onTold: (told) => driver.at?.kept.add(told),
    onProblem: (problem) => driver.at?.onProblem(problem),
    onOther: ({ end }) => {
      const { at } = driver
      if (end === at?.id) at?.end()
      else if (end !== undefined && (typeof end !== 'number' || end > (at?.id ?? 0)))
        at?.onProblem(`{"end":${JSON.stringify(end)}} ends no act: this one has the id ${at.id}`)
    },
  })
  child.stdout.on('data', (bytes: Buffer) => said.hear(bytes))
  child.stderr.on('data', (bytes: Buffer) => driver.at?.stderr.add(bytes))
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.on('error', () => undefined)
  child.once('error', (error) => {
    driver.at?.stderr.add(Buffer.from(`${program} cannot be run: ${error.message}\n`))
    gone.abort()
  })
  child.once('exit', () => gone.abort())
  return driver
}
