/** Whether an answer gives a secret away. */
import type { Judgement } from '../../../scenario/judgement.ts'
import { text } from '../../../wire/body.ts'
import type { Exchange } from '../../../wire/exchange.ts'
import { createLeakDetector } from '../../../../reports/bundle/redaction/leaks.ts'
import { binary } from '../../../../reports/bundle/text.ts'
import { check, every, given, inconclusive } from '../../../scenario/expect.ts'
import { taken } from './managed.ts'
import { created, entry, identityOf } from './webhook-record.ts'

/** Shorter ones turn up in other text by chance. */
const leastLength = 8

/** None of the answers has the secret of the webhook anywhere, in whatever spelling. */
export function secretStaysOut(creation: Exchange, answers: readonly Exchange[]): Judgement {
  return given(created(creation), () => {
    const secret = identityOf(creation)?.secret ?? ''
    if (secret.length < leastLength) return inconclusive('the secret is too short to be told from other text')
    const detector = createLeakDetector()
    detector.learn(secret)
    const isTold = (answer: Exchange): boolean => detector.in(binary(told(answer)))
    return every(answers, (answer) =>
      given(taken(answer), () =>
        check(!isTold(answer), 'an answer without the secret', 'the secret', answer),
      ),
    )
  })
}

/** Everything an answer says. */
function told(exchange: Exchange): string {
  const headers = exchange.response?.headers ?? []
  return [...headers.map(([name, value]) => `${name}: ${value}`), text(exchange).text].join('\n')
}

/** The entry has no `secret_key`; one that says nothing, such as null, counts for none. */
export function withoutSecretKey(list: Exchange, creation: Exchange): Judgement {
  return entry(list, creation, ({ secret_key: key }) =>
    check((key ?? '') === '', 'no `secret_key`', `a \`secret_key\` in the list`, list),
  )
}

/** What begins a secret and only says what it is, such as `whsec_`. */
const label = /^[A-Za-z]{1,10}[_-]/

/** A secret without its label. */
export function coreOf(secret: string): string {
  return secret.replace(label, '')
}

/**
 * How many characters of a secret a masked form of it shows: at its ends, as the longest stretch anywhere, or here and
 * there in a form of the same length. What merely says that it is a secret does not count. Infinite where all of it shows.
 */
export function shownOf(secret: string, preview: string): number {
  const core = coreOf(secret)
  if (preview.includes(core)) return Number.POSITIVE_INFINITY
  const rest = preview.startsWith(secret.slice(0, secret.length - core.length))
    ? preview.slice(secret.length - core.length)
    : preview
  const ends = common(core, rest) + common(reversed(core), reversed(rest))
  return Math.max(Math.min(ends, core.length), stretch(core, rest), inPlace(core, rest))
}

/** How many characters stand where they belong, in a form that is as long as the secret. */
function inPlace(core: string, rest: string): number {
  if (core.length !== rest.length) return 0
  return Array.from(core).filter((character, index) => rest[index] === character).length
}

/** How long both begin alike. */
function common(one: string, other: string): number {
  let length = 0
  while (length < one.length && length < other.length && one[length] === other[length]) length++
  return length
}

function reversed(text: string): string {
  return Array.from(text).toReversed().join('')
}

/** The length of the longest stretch of `text` within `within`. */
function stretch(text: string, within: string): number {
  let longest = 0
  for (let start = 0; start < text.length; start++)
    while (start + longest < text.length && within.includes(text.slice(start, start + longest + 1))) longest++
  return longest
}
