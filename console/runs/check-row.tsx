/** A check on one line of a list. */
import { runAddress } from './address.ts'
import type { Schemas } from './api.ts'
import { VerdictSign, WordsSign } from './verdict.tsx'

interface CheckRowProps {
  readonly item: Schemas['CheckItem']
  readonly current?: boolean
  readonly query?: Readonly<Record<string, string>>
}

export function CheckRow({
  item: { check, clause, title, verdict, brief, others },
  current,
  query,
}: CheckRowProps) {
  return (
    <a
      class="check-line"
      href={runAddress('checks', check, query)}
      aria-current={current ? 'true' : undefined}
    >
      <VerdictSign verdict={verdict} />
      {others
        .filter(({ later }) => later)
        .map(({ run, words }) => (
          <span key={run} title={run}>
            <span aria-hidden="true">→</span>
            <span class="unseen">, then </span>
            <WordsSign words={words} />
          </span>
        ))}
      <span class="mono">{clause}</span>
      <span class="soft cut">{brief === '' ? title : brief}</span>
    </a>
  )
}
