/** Runs that were signed with the key of the release. */
import { failed } from '../bundle/alterations.ts'
import type { LaterRun } from './later-run.ts'

const target = { name: 'acme', kind: 'staging', baseUrl: 'https://staging.example' } as const

export const passes: LaterRun = { version: '1.0', startedAt: '2026-07-01T09:00:00.000Z', target }
export const fails: LaterRun = {
  version: '1.1',
  startedAt: '2026-08-01T09:00:00.000Z',
  target,
  failing: /IDEM-REPLAY-HEADER$/,
}

const waived = [failed]
/** A failure that is waived from the third run on. */
export const year: readonly LaterRun[] = [
  passes,
  fails,
  { ...fails, version: '1.2', startedAt: '2026-09-01T09:00:00.000Z', waived, factor: 2 },
  { ...fails, version: '1.3', startedAt: '2026-10-01T09:00:00.000Z', waived, factor: 3 },
]

const text = '../../x<script>globalThis.ran=true</script>"\'&\u202e\uffff]]>\u0000'
/** Whatever a target file can say of a target tries to get out of its place. */
export const hostile: LaterRun = {
  ...fails,
  version: text,
  target: { ...target, name: text, baseUrl: text, organization: text },
}
