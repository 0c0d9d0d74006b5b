/** Verdicts and answers: always a sign and a word, never a colour alone. */
import { Badge } from '../ui/panel.tsx'
import type { Schemas } from './api.ts'
import { verdictWordsOf } from './overview-state.ts'

export function WordsBadge({ words: { sign, word, tone } }: { words: Schemas['Words'] }) {
  return (
    <Badge tone={tone}>
      <span aria-hidden="true">{sign}</span> {word}
    </Badge>
  )
}

export const VerdictBadge = ({ verdict }: { verdict: string }) => (
  <WordsBadge words={verdictWordsOf(verdict)} />
)

export const VerdictSign = ({ verdict }: { verdict: string }) => <WordsSign words={verdictWordsOf(verdict)} />

/** For dense lists: the sign, with the word for those who do not see it. */
export function WordsSign({ words: { sign, word, tone } }: { words: Schemas['Words'] }) {
  return (
    <span class={`sign ${tone}`} title={word}>
      <span aria-hidden="true">{sign}</span>
      <span class="unseen">{word}</span>
    </span>
  )
}

/** Names and values; long ones break anywhere. */
export function Facts({ facts }: { facts: readonly Schemas['Fact'][] }) {
  return (
    <dl>
      {facts.map(({ name, value }) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  )
}
