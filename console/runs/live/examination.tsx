/** What was found about a target file: first what is wrong, last what was not checked. */
import type { Schemas } from '../api.ts'

type Result = Schemas['Examination']['results'][number]

const shown: Readonly<Record<Result['is'], Pick<Schemas['Words'], 'sign' | 'word' | 'tone'>>> = {
  wrong: { sign: '✗', word: 'wrong', tone: 'bad' },
  missing: { sign: '✗', word: 'missing', tone: 'bad' },
  fine: { sign: '✓', word: 'ok', tone: 'good' },
  open: { sign: '–', word: 'not checked', tone: 'quiet' },
}
const order = Object.keys(shown)

export function ExaminationList({ examination: { results } }: { examination: Schemas['Examination'] }) {
  const declared = results
    .filter(({ undeclared }) => !undeclared)
    .toSorted((one, other) => order.indexOf(one.is) - order.indexOf(other.is))
  const wrong = declared.filter(({ is }) => is === 'wrong' || is === 'missing').length
  return (
    <section aria-label="Examination" aria-live="polite">
      <h3>{wrong === 0 ? 'Nothing contradicts the file' : `${wrong} wrong or missing`}</h3>
      <ul class="bare">
        {declared.map(({ is, about, words }) => (
          <li key={`${about} ${words}`}>
            <span class={`sign ${shown[is].tone}`} title={shown[is].word}>
              <span aria-hidden="true">{shown[is].sign}</span>
              <span class="unseen">{shown[is].word}</span>
            </span>{' '}
            <span class="mono">{about}</span>: {words}
          </li>
        ))}
      </ul>
      <p class="soft">{results.length - declared.length} not configured.</p>
    </section>
  )
}
