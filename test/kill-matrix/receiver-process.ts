/** Starts receivers as processes of their own, and asks the suite about them. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { receiverAt, type Subject } from '../../suites/receivers/subject.ts'
import { patched, type Patch } from './broken-receivers.ts'

const secret = 'whsec_0123456789abcdef'
const folder = mkdtempSync(join(tmpdir(), 'touchstone-receivers-'))
const children: ChildProcess[] = []

/** Ends every receiver that was started here. */
export function endReceivers(): void {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

/** Starts a receiver at any free port. */
export async function startReceiver(program: string, file: string): Promise<Subject> {
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: '0', EFFECTS: '1' }
  const child = spawn(program, [file], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  children.push(child)
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} ended with exit code ${code} instead of listening`)
  })
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string]
  // From here on it may end.
  ended.catch(() => {})
  const origin = `http://127.0.0.1:${/\d+$/.exec(line)?.[0]}`
  return receiverAt(`${origin}/webhooks`, secret, {
    events: ['leads.submit', 'booking.created'],
    effects: `${origin}/effects/{id}`,
    effectsWaitMs: 1_000,
  })
}

export async function startPatched(name: string, ...patches: readonly Patch[]): Promise<Subject> {
  // Another test file may have ended its receivers.
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.mjs`)
  writeFileSync(file, patched(patches))
  return startReceiver(process.execPath, file)
}
