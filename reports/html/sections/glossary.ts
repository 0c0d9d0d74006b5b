/** The words of the page, for a reader who sees one for the first time. */
import { conformanceWords, verdictOrder, verdictWords } from '../../verdicts/verdicts.ts'
import { clauseBadge } from './matrix.ts'
import type { Markup } from '../elements/escape.ts'
import { badge, pairs, prose, signed } from '../elements/words.ts'

export function glossary(): Markup {
  const verdicts = verdictOrder.map((verdict) => [badge(verdict), verdictWords[verdict].means] as const)
  const answers = Object.values(conformanceWords).map(
    ({ sign, word, tone, means }) => [signed(sign, word, tone), means] as const,
  )
  return pairs(
    [
      ...verdicts,
      [clauseBadge('not-planned'), 'The profile, a filter or what the target lacks left its checks out.'],
      [clauseBadge('not-covered'), 'No check of it exists; the reason stands beside it.'],
      ...answers,
      [
        'gate',
        'Whether the run passes under its policy. A waived failure passes the gate and stays a failure.',
      ],
      ['waived', 'A failure that somebody answers for until a date.'],
      [
        'provisional',
        'The clause is newer than the set that counts: judged, and without a say in either answer.',
      ],
      [
        'clause, check',
        'A clause is one statement of the contract; a check is the judging of one in one scenario.',
      ],
      ['exchange', 'One request and everything that came back, by its number in journal.ndjson.'],
      [
        'state, by',
        prose(
          'How a situation came about: `wire` by the suite alone, `control`, `http` and `exec` by a hook, `fixture` prepared, `manual` and `attest` by a person.',
        ),
      ],
    ],
    'pairs long',
  )
}
