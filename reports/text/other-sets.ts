/** The answers under clause sets that do not decide, for a terminal. */
import type { RunRecord } from '../bundle/record.ts'
import { otherSetWords } from '../verdicts/other-sets.ts'
import { visibleLine } from '../visible.ts'
import { hang } from './columns.ts'
import type { Paint } from './paint.ts'

const mostLines = 20

/** Empty if there are none. */
export function otherSetLines(record: RunRecord, { paint, width }: { paint: Paint; width: number }): string {
  const parts = otherSetWords(record).flatMap(({ words, title, gate, because, lines }) => {
    const rest = lines.length - mostLines
    return [
      paint(words.tone, `${words.sign} ${visibleLine(title)}`),
      ...[
        gate,
        ...because,
        ...lines.slice(0, mostLines),
        ...(rest > 0 ? [`${rest} more: see run.json`] : []),
      ].map((line) => hang('  ', visibleLine(line), width)),
    ]
  })
  return parts.join('\n')
}
