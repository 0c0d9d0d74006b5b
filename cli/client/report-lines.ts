/** The line protocol: reports of the application on stdout. */
import { isObject, type JsonObject } from '../../spec/json.ts'
import type { ClientReport } from '../../bundle/client-report.ts'

interface ReportHandlers {
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

export function createReportParser({ onReport, onProblem, onOther }: ReportHandlers) {
  let pieces: Uint8Array[] = []
  let pending = 0

  function line(text: string): void {
    const plain = text.replace(beforeFirst, '')
    if (!plain.startsWith(mark)) return
    const read = objectIn(plain.slice(mark.length))
    if (read === null) onProblem(`"touchstone " is not followed by a JSON object: ${excerpt(text)}`)
    else if ('saw' in read) reportLine(read, text)
    else onOther?.(read)
  }
  function reportLine(read: JsonObject, text: string): void {
    const { saw } = read
    // Kinds of a later version are ignored.
    if (typeof saw !== 'string' || !kinds.has(saw)) return
    if (kinds.get(saw)?.(read[saw])) onReport(read as unknown as ClientReport)
    else onProblem(`the report has no valid "${saw}": ${excerpt(text)}`)
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
    write(bytes: Uint8Array): void {
      let from = 0
      for (let to = bytes.indexOf(0x0a); to !== -1; to = bytes.indexOf(0x0a, from)) {
        keep(bytes.subarray(from, to))
        flush()
        from = to + 1
      }
      if (from < bytes.length) keep(bytes.subarray(from))
    },
    /** Parses the rest after the last line end. */
    end(): void {
      if (pending > 0) flush()
    },
  }
}

export function createReportStore() {
  const reported: ClientReport[] = []
  let bytes = 0
  return {
    reported: reported as readonly ClientReport[],
    add: (line: ClientReport): void => {
      bytes += JSON.stringify(line).length
      if (bytes <= limits.reportBytes) reported.push(line)
    },
  }
}

function objectIn(text: string): JsonObject | null {
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

/** What the member with the reported value, which has the name of its kind, has to be. */
const kinds = new Map<string, (value: unknown) => boolean>([
  ...['event', 'reply', 'error'].map((kind) => [kind, isObject] as const),
  ['result', (value: unknown) => value !== undefined],
  ...['finished', 'unfinished'].map((kind) => [kind, () => true] as const),
])

const excerpt = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text)
