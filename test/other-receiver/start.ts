/** The other receiver, each time as a process of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { runReceiver } from '../../suites/runner/drivers/receiver.ts'
import { receiverAt } from '../../suites/receivers/subject.ts'
import type { RunRecord } from '../../bundle/record.ts'

const secret = 'whsec_of_the_other_receiver'
const program = fileURLToPath(new URL('receiver.py', import.meta.url))

/** What the suite says of it. */
export async function judgedReceiver(fault?: string, seed = 1): Promise<RunRecord> {
  const planted = fault === undefined ? [] : ['--fault', fault]
  const child = spawn('python3', ['-B', program, '--secret', secret, ...planted], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('receiver.py ended at once')))
    const [port] = await Promise.race([once(createInterface(child.stdout), 'line'), ended])
    ended.catch(() => undefined)
    const at = `http://127.0.0.1:${port}`
    const events = ['leads.submit', 'order.confirmed']
    const { record } = await runReceiver(
      receiverAt(`${at}/hooks`, secret, { events, effects: `${at}/done/{id}` }),
      { seed },
    )
    return record
  } finally {
    child.kill('SIGKILL')
  }
}
