/** The terms of the page. */
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
      [
        clauseBadge('not-planned'),
        'Its checks were left out by the profile, by a selection, or because the target lacks something.',
      ],
      [clauseBadge('not-covered'), 'It cannot be tested from outside; the reason is given.'],
      ...answers,
      ['gate', 'Whether the policy allows the result. A waived failure passes the gate and stays a failure.'],
      ['waived', 'A failure with an owner, a reason and a last day.'],
      [
        'provisional',
        'The clause is not in the clause set: reported, but affects neither conformance nor the gate.',
      ],
      [
        'clause, check',
        'A clause is one statement of the contract; a check tests one clause in one test scenario.',
      ],
      ['exchange', 'One request and its response, by its number in journal.ndjson.'],
      [
        'state, by',
        prose(
          'How a state was set up: `wire` by requests of the suite, `control`, `http` and `exec` by a hook, `fixture` prepared, `manual` and `attest` by a person.',
        ),
      ],
    ],
    'pairs long',
  )
}
