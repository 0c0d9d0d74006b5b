/** The line protocol: reports of the application on stdout. */
import { isObject } from '../../spec/json.ts'
import type { ClientReport } from '../../reports/bundle/client-report.ts'

export interface ReportParser {
  /** Parses output, in pieces of any size. */
  write: (bytes: Uint8Array) => void
  /** Parses the rest after the last line end. */
  end: () => void
}

export interface ReportHandlers {
  onReport: (reported: ClientReport) => void
  /** A line that begins with `touchstone ` and is not valid, in words. */
  onProblem: (problem: string) => void
  /** A line without `saw`, such as the end of a step. */
  onOther?: (line: { readonly [member: string]: unknown }) => void
}

const mark = 'touchstone '
/** What a console writes before the first line: a byte order mark, and resets of the colour. */
// oxlint-disable-next-line no-control-regex -- the colours of a console are made of one
const beforeFirst = /^\uFEFF?(?:\u001B\[[\d;]*m)*/
/** Longer lines are ignored; of a step this many bytes of reports are stored. */
const limits = { lineBytes: 1 << 20, reportBytes: 4 << 20 }

export function createReportParser({ onReport, onProblem, onOther }: ReportHandlers): ReportParser {
  let pieces: Uint8Array[] = []
  let pending = 0

  function line(text: string): void {
    const plain = text.replace(beforeFirst, '')
    if (!plain.startsWith(mark)) return
    const read = objectIn(plain.slice(mark.length))
    if (read === null) onProblem(`"touchstone " is not followed by a JSON object: ${excerpt(text)}`)
    else if (!('saw' in read)) onOther?.(read)
    else reportLine(read, text)
  }
  function reportLine(read: JsonMembers, text: string): void {
    const member = payloadMembers.get(read['saw'])
    // Kinds of a later version are ignored.
    if (member === undefined) return
    if (member === null || fits(member, read)) onReport(read as ClientReport)
    else onProblem(`the report has no valid "${member}": ${excerpt(text)}`)
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

/** Deeper values could overflow the stack of recursive code. */
const maxDepth = 100

function isTooDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}

/** The member with the reported value; null if optional. */
const payloadMembers: ReadonlyMap<unknown, string | null> = new Map<ClientReport['saw'], string | null>([
  ['event', 'event'],
  ['reply', 'reply'],
  ['error', 'error'],
  ['result', 'result'],
  ['finished', null],
  ['unfinished', null],
])

/** A result may be any value; everything else is an object. */
function fits(member: string, read: JsonMembers): boolean {
  return member === 'result' ? read[member] !== undefined : isObject(read[member])
}

const excerpt = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text)
