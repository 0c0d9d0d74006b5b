/** What a run has used of what it may use. */
import type { Schemas } from '../api.ts'

export function UsageTable({ usage }: { usage: readonly Schemas['Usage'][] }) {
  return (
    <>
      {usage.map(({ what, used, limit }) => (
        <p key={what} class="usage">
          <span>{what}</span>
          <progress max={limit} value={used} aria-label={what} />
          <span class="number">
            {Math.round(used * 100) / 100} <span class="soft">of {limit}</span>
          </span>
        </p>
      ))}
    </>
  )
}
