/** The line protocol: what an application says on standard output that it saw. */
import type { Told } from '../../suites/clients/execution/report.ts'

export interface Listening {
  /** Takes what was printed, in whatever pieces. */
  hear: (bytes: Uint8Array) => void
  /** What stands behind the last line end is a line, too. */
  end: () => void
}

export interface Hearers {
  onTold: (told: Told) => void
  /** A line that begins with the word and is none of the protocol, in words. */
  onProblem: (problem: string) => void
  /** An object of the protocol that is nothing seen, such as the end of an act. */
  onOther?: (line: { readonly [member: string]: unknown }) => void
}

const mark = 'touchstone '
/** Longer lines are no part of the protocol, and of those that are, this many bytes are kept of an act. */
const most = { lineBytes: 1 << 20, toldBytes: 4 << 20 }

export function listen({ onTold, onProblem, onOther }: Hearers): Listening {
  let pieces: Uint8Array[] = []
  let pending = 0

  function line(text: string): void {
    if (!text.startsWith(mark)) return
    const read = objectIn(text.slice(mark.length))
    if (read === null) onProblem(`"touchstone " stands before something that is no JSON object: ${cut(text)}`)
    else if (!('saw' in read)) onOther?.(read)
    else seen(read, text)
  }
  function seen(read: Table, text: string): void {
    const member = carries.get(read['saw'])
    // What may be seen in words of a later version is passed over.
    if (member === undefined) return
    if (member === null || fits(member, read)) onTold(read as Told)
    else onProblem(`what was seen has no "${member}" that would do: ${cut(text)}`)
  }
  function flush(): void {
    const whole = pending > most.lineBytes ? '' : Buffer.concat(pieces).toString('utf8')
    pieces = []
    pending = 0
    line(whole.replace(/\r$/, ''))
  }
  function keep(bytes: Uint8Array): void {
    pending += bytes.length
    if (pending <= most.lineBytes) pieces.push(Uint8Array.from(bytes))
    else pieces = []
  }

  return {
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

/** Keeps what is told, as long as it is no more than an application has to say of one act. */
export function keepTold(): { told: readonly Told[]; add: (told: Told) => void } {
  const told: Told[] = []
  let bytes = 0
  return {
    told,
    add(line) {
      bytes += JSON.stringify(line).length
      if (bytes <= most.toldBytes) told.push(line)
    },
  }
}

type Table = { readonly [member: string]: unknown }

function objectIn(text: string): Table | null {
  try {
    const value: unknown = JSON.parse(text)
    return isTable(value) && !isDeep(value) ? value : null
  } catch {
    return null
  }
}

/** Deeper than anything that is seen: whatever goes down level by level would run out of stack further down. */
const mostLevels = 100

function isDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > mostLevels) return true
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}

/** The member with what was seen; null where it may be left away. */
const carries: ReadonlyMap<unknown, string | null> = new Map<Told['saw'], string | null>([
  ['event', 'event'],
  ['reply', 'reply'],
  ['error', 'error'],
  ['result', 'result'],
  ['finished', null],
  ['unfinished', null],
])

/** A result may be anything; all else that is seen is an object. */
function fits(member: string, read: Table): boolean {
  return member === 'result' ? read[member] !== undefined : isTable(read[member])
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const cut = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text)
