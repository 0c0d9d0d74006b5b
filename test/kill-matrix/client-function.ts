/** A copy of the right client as a function of this process: nothing has to be started, and many acts go on at once. */
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

/** What an act told, wherever it was told. */
const tellings = new AsyncLocalStorage<ClientReport[]>()
Object.assign(globalThis, { touchstoneTells: (line: ClientReport) => tellings.getStore()?.push(line) })

const printed = 'console.log(`touchstone ${JSON.stringify(line)}`)'
const start = 'const { TOUCHSTONE_TASK'

interface Service {
  baseUrl: string
  apiKey: string
  agent: string
}

type Act = (service: Service, task: ClientTask) => Promise<void>

/** Not its way of getting tasks, which is the same in all of them. */
async function actOf(name: string, source: string): Promise<Act> {
  const [body = '', ...rest] = source.split(start)
  if (rest.length !== 1 || body.split(printed).length !== 2) throw new Error('fetch.ts ends in another way')
  const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.ts`)
  // A line that is printed and read is JSON, whatever it was before.
  const telling = 'touchstoneTells(JSON.parse(JSON.stringify(line)))'
  writeFileSync(file, `${body.replace(printed, telling)}export { act }\n`)
  const { act } = (await import(pathToFileURL(file).href)) as { act: Act }
  return act
}

export async function runOf(name: string, source: string): Promise<RunFunction> {
  const act = await actOf(name, source)
  return async ({ service: { baseUrl, apiKey, agent }, task }) => {
    const told: ClientReport[] = []
    await tellings.run(told, () => act({ baseUrl, apiKey, agent }, task))
    return told
  }
}
