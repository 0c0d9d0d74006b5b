/** What became of a turn, in a word. */
import { Badge } from '../ui/panel.tsx'
import { outcomes, type Outcome } from './summary.ts'

export function OutcomeBadge({ outcome }: { outcome: Outcome | null }) {
  return outcome === null ? null : <Badge tone={outcomes[outcome].tone}>{outcomes[outcome].label}</Badge>
}
