/** What stands in the log of a simulator, and what never does. */
import { withoutKeys } from '../tenant/redacted.ts'

export type Log = (line: string) => void

/** Of a query only that there was one: some clients send credentials in it. `status`: 0 where nothing was answered. */
export function requestLine(method: string, path: string, status: number): string {
  const [place = '', ...query] = path.split('?')
  return `${method} ${place}${query.length > 0 ? '?…' : ''} ${status === 0 ? 'dropped' : status}`
}

/** Takes out keys of every kind, and the control token wherever it got. */
export function redactedLine(log: Log, controlToken: string | undefined): Log {
  return (line) =>
    log(withoutKeys(controlToken === undefined ? line : line.replaceAll(controlToken, '[redacted]')))
}
