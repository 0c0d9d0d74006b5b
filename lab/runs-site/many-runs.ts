/** Years of runs of two targets: failures come and go, some are waived, a newer version is slower. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Signer } from '../../reports/bundle/seal/envelope.ts'
import { writeLaterRun } from '../../test/runs-site/later-run.ts'

const day = 86_400_000

/** Writes `count` bundles below `folder`, one a day up to `until` (milliseconds since 1970); `base`: a run bundle. */
export function writeManyRuns(
  base: string,
  folder: string,
  { count, until, signer }: { count: number; until: number; signer: Signer | null },
): void {
  mkdirSync(folder, { recursive: true })
  for (let index = 0; index < count; index++) {
    const build = Math.floor(index / 2)
    const age = count - index
    writeLaterRun(
      base,
      join(folder, String(index).padStart(5, '0')),
      {
        version: `4.${Math.floor(build / 10)}.${build % 10}`,
        startedAt: new Date(until - age * day).toISOString(),
        target: {
          kind: 'staging',
          name: index % 2 === 0 ? 'acme' : 'acme-eu',
          baseUrl: 'https://staging.example',
        },
        failing: failingIn(index, count),
        ...(index % 40 > 20 ? { waived: waivable } : {}),
        factor: 1 + (index / count) * 2 + (index % 7) / 10,
      },
      signer,
    )
  }
}

/** That were seen to fail. */
const waivable = ['idempotency-replay/json/IDEM-REPLAY-HEADER']

function failingIn(index: number, count: number): RegExp {
  if (index > count * 0.9) return /IDEM-REPLAY-HEADER|CHAT-REQUEST-/
  if (index % 40 > 20) return /IDEM-REPLAY-HEADER/
  return index % 23 === 0 ? /IDEM-REPLAY-STATUS|IDEM-RUN-ONCE/ : /^$/
}
