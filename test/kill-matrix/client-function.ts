/** Runs a patched copy of the example client in this process, so that many tasks run concurrently without processes. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RunFunction } from '../../suites/clients/execution/function-runner.ts'
import type { ClientTask } from '../../suites/clients/execution/task.ts'
import type { ClientReport } from '../../reports/bundle/client-report.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-clients-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** The reports of the current task. */
const reports = new AsyncLocalStorage<ClientReport[]>()
Object.assign(globalThis, { touchstoneReport: (line: ClientReport) => reports.getStore()?.push(line) })

const printed = 'console.log(`touchstone ${JSON.stringify(line)}`)'
const start = 'const { TOUCHSTONE_TASK'

interface Service {
  baseUrl: string
  apiKey: string
  agent: string
}

type Act = (service: Service, task: ClientTask) => Promise<void>

/** Omits how the client receives tasks, which is the same in all of them. */
async function actOf(name: string, source: string): Promise<Act> {
  const [body = '', ...rest] = source.split(start)
  if (rest.length !== 1 || body.split(printed).length !== 2)
    throw new Error('the end of fetch.ts is not as expected')
  const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.ts`)
  // As if the line had been printed and parsed.
  const replacement = 'touchstoneReport(JSON.parse(JSON.stringify(line)))'
  writeFileSync(file, `${body.replace(printed, replacement)}export { act }\n`)
  const { act } = (await import(pathToFileURL(file).href)) as { act: Act }
  return act
}

export async function runOf(name: string, source: string): Promise<RunFunction> {
  const act = await actOf(name, source)
  return async ({ service: { baseUrl, apiKey, agent }, task }) => {
    const lines: ClientReport[] = []
    await reports.run(lines, () => act({ baseUrl, apiKey, agent }, task))
    return lines
  }
}
