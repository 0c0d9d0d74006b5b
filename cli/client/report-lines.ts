/** The line protocol: what an application says on standard output that it saw. */
import { isObject } from '../../spec/json.ts'
import type { ClientReport } from '../../reports/bundle/client-report.ts'

export interface ReportParser {
  /** Takes what was printed, in whatever pieces. */
  write: (bytes: Uint8Array) => void
  /** What stands behind the last line end is a line, too. */
  end: () => void
}

export interface ReportHandlers {
  onReport: (reported: ClientReport) => void
  /** A line that begins with the word and is none of the protocol, in words. */
  onProblem: (problem: string) => void
  /** An object of the protocol that is nothing seen, such as the end of an act. */
  onOther?: (line: { readonly [member: string]: unknown }) => void
}

const mark = 'touchstone '
/** Longer lines are no part of the protocol, and of those that are, this many bytes are kept of an act. */
const limits = { lineBytes: 1 << 20, reportBytes: 4 << 20 }

export function createReportParser({ onReport, onProblem, onOther }: ReportHandlers): ReportParser {
  let pieces: Uint8Array[] = []
  let pending = 0

  function line(text: string): void {
    if (!text.startsWith(mark)) return
    const read = objectIn(text.slice(mark.length))
    if (read === null)
      onProblem(`"touchstone " stands before something that is no JSON object: ${excerpt(text)}`)
    else if (!('saw' in read)) onOther?.(read)
    else reportLine(read, text)
  }
  function reportLine(read: JsonMembers, text: string): void {
    const member = payloadMembers.get(read['saw'])
    // What may be seen in words of a later version is passed over.
    if (member === undefined) return
    if (member === null || fits(member, read)) onReport(read as ClientReport)
    else onProblem(`what was seen has no "${member}" that would do: ${excerpt(text)}`)
  }
  function flush(): void {
    const whole = pending > limits.lineBytes ? '' : Buffer.concat(pieces).toString('utf8')
    pieces = []
    pending = 0
    line(whole.replace(/\r$/, ''))
  }
  function keep(bytes: Uint8Array): void {
    pending += bytes.length
    if (pending <= limits.lineBytes) pieces.push(Uint8Array.from(bytes))
    else pieces = []
  }

  return {
    write(bytes) {
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
export function createReportStore(): {
  reported: readonly ClientReport[]
  add: (reported: ClientReport) => void
} {
  const reported: ClientReport[] = []
  let bytes = 0
  return {
    reported: reported,
    add(line) {
      bytes += JSON.stringify(line).length
      if (bytes <= limits.reportBytes) reported.push(line)
    },
  }
}

type JsonMembers = { readonly [member: string]: unknown }

function objectIn(text: string): JsonMembers | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) && !isTooDeep(value) ? value : null
  } catch {
    return null
  }
}

/** Deeper than anything that is seen: whatever goes down level by level would run out of stack further down. */
const maxDepth = 100

function isTooDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}

/** The member with what was seen; null where it may be left away. */
const payloadMembers: ReadonlyMap<unknown, string | null> = new Map<ClientReport['saw'], string | null>([
  ['event', 'event'],
  ['reply', 'reply'],
  ['error', 'error'],
  ['result', 'result'],
  ['finished', null],
  ['unfinished', null],
])

/** A result may be anything; all else that is seen is an object. */
function fits(member: string, read: JsonMembers): boolean {
  return member === 'result' ? read[member] !== undefined : isObject(read[member])
}

const excerpt = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text)
