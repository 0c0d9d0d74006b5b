/** A command in a process of its own: how it ended, the most memory that it took, and how long. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

export interface Measured {
  code: number | null
  peakMiB: number
  seconds: number
  /** The end of its output. */
  said: string
}

const preload = join(import.meta.dirname, 'peak-memory.ts')

/** `script`: of this clone. A server is used by `visit`, which gets its first line, and is stopped after that. */
export async function measured(
  script: string,
  words: readonly string[],
  visit?: (line: string) => Promise<void>,
): Promise<Measured> {
  const began = performance.now()
  const child = spawn(process.execPath, ['--import', preload, script, ...words], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const [, out, err, peak] = child.stdio as unknown as readonly [null, Readable, Readable, Readable]
  const ended = once(child, 'exit') as Promise<[number | null]>
  const reading = [out, err, peak].map(text)
  if (visit) {
    const [line] = (await once(out, 'data')) as [Buffer]
    await visit(line.toString()).finally(() => child.kill('SIGTERM'))
  }
  const [[code], [output = '', errors = '', most = '']] = await Promise.all([ended, Promise.all(reading)])
  const said = `${output}${errors}`.trim().slice(-600)
  return { code, peakMiB: Number(most), seconds: (performance.now() - began) / 1000, said }
}
