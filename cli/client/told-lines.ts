/** The line protocol: what an application says on standard output that it saw. */
import type { Told } from '../../suites/clients/told.ts'

export interface Listening {
  /** What was told so far, oldest first. */
  readonly told: readonly Told[]
  /** Takes what was printed, in whatever pieces. */
  hear(bytes: Uint8Array): void
  /** What stands behind the last line end is a line, too. */
  end(): void
}

export interface Hearers {
  /** A line that begins with the word and is none of the protocol, in words. */
  onProblem: (problem: string) => void
  /** An object of the protocol that is nothing seen, such as the end of an act. */
  onOther?: (line: { readonly [member: string]: unknown }) => void
}

const mark = 'touchstone '
const kinds: ReadonlySet<unknown> = new Set<Told['saw']>([
  'event',
  'reply',
  'error',
  'result',
  'finished',
  'unfinished',
])
/** Nobody needs more to say what was seen; a client that never stops printing is not kept whole. */
const most = { lineBytes: 1 << 20, lines: 5_000, bytes: 4 << 20 }

export function listen({ onProblem, onOther = () => undefined }: Hearers): Listening {
  const told: Told[] = []
  let pieces: Uint8Array[] = []
  let pending = 0
  let kept = 0

  function line(text: string): void {
    if (!text.startsWith(mark)) return
    const read = objectIn(text.slice(mark.length))
    if (read === null)
      return onProblem(`a line begins with "touchstone " and no JSON object follows: ${cut(text)}`)
    if (!('saw' in read)) return onOther(read)
    const problem = problemOf(read)
    if (problem !== null) return onProblem(`${problem}: ${cut(text)}`)
    // What is seen by a later version is passed over.
    if (!kinds.has(read['saw']) || told.length >= most.lines || kept > most.bytes) return
    kept += text.length
    told.push(read as Told)
  }
  function flush(): void {
    const whole = Buffer.concat(pieces).toString('utf8').replace(/\r$/, '')
    pieces = []
    pending = 0
    line(whole)
  }
  function keep(bytes: Uint8Array): void {
    pending += bytes.length
    if (pending <= most.lineBytes) pieces.push(bytes)
  }

  return {
    told,
    hear(bytes) {
      let from = 0
      for (let to = bytes.indexOf(0x0a); to !== -1; to = bytes.indexOf(0x0a, from)) {
        keep(bytes.subarray(from, to))
        flush()
        from = to + 1
      }
      if (from < bytes.length) keep(bytes.subarray(from))
    },
    end() {
      if (pending > 0) flush()
    },
  }
}

type Table = { readonly [member: string]: unknown }

function objectIn(text: string): Table | null {
  try {
    const value: unknown = JSON.parse(text)
    return isTable(value) ? value : null
  } catch {
    return null
  }
}

/** The member that each of these carries is an object; of others there is nothing to check. */
const carries: Readonly<Record<string, string>> = { event: 'event', reply: 'reply', error: 'error' }

function problemOf(read: Table): string | null {
  const saw = read['saw']
  if (typeof saw !== 'string') return '"saw" is no text'
  const member = carries[saw]
  if (member !== undefined && !isTable(read[member])) return `"${member}" is no object`
  return saw === 'result' && read['result'] === undefined ? '"result" is missing' : null
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const cut = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text)
