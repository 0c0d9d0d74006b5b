/** A client that is started once, gets one JSON line per step on stdin, and reports the end of each. */
import { spawn, type ChildProcess } from 'node:child_process'
import type { Assignment, ClientRunner } from '../../suites/clients/execution/task.ts'
import type { StepResult, ClientReport } from '../../reports/bundle/client-report.ts'
import type { Clock } from '../../suites/wire/clock.ts'
import { killGroup, release } from './child-process.ts'
import { keepFirst, type Printed } from './printed.ts'
import { createReportStore, createReportParser } from './report-lines.ts'

export interface DriverOptions {
  words: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
  onMessage: (step: string, words: string) => void
}

/** Restarts without a completed step in between. */
const maxRestarts = 3
const shownBytes = 4 << 10

interface CurrentStep {
  id: number
  store: ReturnType<typeof createReportStore>
  stderr: Printed
  end: () => void
  onProblem: (problem: string) => void
}

/** One process of the driver. Output between two steps is ignored. */
interface Driver {
  child: ChildProcess
  exited: AbortSignal
  step: CurrentStep | null
}

export function driverRunner(options: DriverOptions): ClientRunner {
  let driver: Driver | null = null
  let restarts = -1
  let steps = 0

  const running = (): Driver | null => {
    if (driver && !driver.exited.aborted) return driver
    if (restarts >= maxRestarts) return null
    restarts++
    return (driver = startDriver(options))
  }
  const end = (): void => {
    if (!driver) return
    killGroup(driver.child.pid)
    release(driver.child)
    driver = null
  }

  return {
    concurrency: 1,
    async runStep(assignment, signal) {
      const current = running()
      if (current === null) return lost('the driver exited repeatedly and is not started again\n')
      const { ended, reported, stderr } = await drive(current, ++steps, assignment, signal, options)
      // A driver that did not finish in time would delay the next step.
      if (ended === 'done') restarts = 0
      else end()
      return { ended, exitCode: null, reported, stdout: '', stderr }
    },
    close() {
      end()
      return Promise.resolve()
    },
  }
}

function lost(stderr: string): StepResult {
  return { ended: 'lost', exitCode: null, reported: [], stdout: '', stderr }
}

async function drive(
  driver: Driver,
  id: number,
  { name, service, task, limitMs }: Assignment,
  signal: AbortSignal,
  { clock, onMessage }: DriverOptions,
): Promise<{ ended: StepResult['ended']; reported: readonly ClientReport[]; stderr: string }> {
  const done = new AbortController()
  const step: CurrentStep = {
    id,
    store: createReportStore(),
    stderr: keepFirst(shownBytes),
    end: () => done.abort(),
    onProblem: (problem) => onMessage(name, problem),
  }
  driver.step = step
  const { baseUrl, apiKey, agent } = service
  driver.child.stdin?.write(`${JSON.stringify({ id, baseUrl, apiKey, agent, task })}\n`)
  await clock.sleep(limitMs, AbortSignal.any([done.signal, driver.exited, signal]))
  driver.step = null
  const ended = done.signal.aborted ? 'done' : driver.exited.aborted ? 'lost' : 'timeout'
  return { ended, reported: step.store.reported, stderr: step.stderr.text() }
}

function startDriver({ words: [program = '', ...words], env }: DriverOptions): Driver {
  const child = spawn(program, words, { env: { ...env }, detached: true, stdio: 'pipe' })
  const exited = new AbortController()
  const driver: Driver = { child, exited: exited.signal, step: null }
  const parser = createReportParser({
    onReport: (report) => driver.step?.store.add(report),
    onProblem: (problem) => driver.step?.onProblem(problem),
    onOther: ({ end }) => {
      const { step } = driver
      if (end === step?.id) step?.end()
      else if (end !== undefined && (typeof end !== 'number' || end > (step?.id ?? 0)))
        step?.onProblem(
          `{"end":${JSON.stringify(end)}} does not end a step: the current one has the id ${step.id}`,
        )
    },
  })
  child.stdout.on('data', (bytes: Buffer) => parser.write(bytes))
  child.stderr.on('data', (bytes: Buffer) => driver.step?.stderr.add(bytes))
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.on('error', () => undefined)
  child.once('error', (error) => {
    driver.step?.stderr.add(Buffer.from(`${program} cannot be run: ${error.message}\n`))
    exited.abort()
  })
  child.once('exit', () => exited.abort())
  return driver
}
