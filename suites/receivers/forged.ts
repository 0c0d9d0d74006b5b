/** Deliveries that were not sent with the secret: none may be accepted. */
import { createHash } from 'node:crypto'
import { bearing, digestOf, holding, textOf } from './delivery.ts'
import { forgedScenario, type Forge } from './forged-scenario.ts'

export const changed = forgedScenario('a body that was changed after signing is refused', {
  clause: 'RECV-CHANGED-BODY',
  forges: {
    'value-changed': (genuine) => holding(genuine, textOf(genuine).replace('Ada', 'Ade')),
    'member-added': (genuine) => holding(genuine, textOf(genuine).replace('{', '{"added":true,')),
    'line-end-added': (genuine) => holding(genuine, `${textOf(genuine)}\n`),
    'line-end-lost': (genuine, sign) => bearing(genuine, sign(`${textOf(genuine)}\n`)),
    'mark-lost': (genuine, sign) => bearing(genuine, sign(`\ufeff${textOf(genuine)}`)),
    'written-anew': (genuine, sign) =>
      bearing(genuine, sign(JSON.stringify(JSON.parse(textOf(genuine)), null, 2))),
    'digest-of-another': (genuine) => bearing(genuine, `sha256=${digestOf(genuine).replace(/.$/, flipped)}`),
    'first-digit-of-another': (genuine) =>
      bearing(genuine, `sha256=${digestOf(genuine).replace(/^./, flipped)}`),
  },
})

const flipped = (digit: string): string => (Number.parseInt(digit, 16) ^ 1).toString(16)

/** What a variable that is not set becomes, in one language or another. */
const unset = ['undefined', 'null', 'None', 'nil', 'false', '0', '[object Object]']

export const secrets = forgedScenario('a signature made without the secret is refused', {
  clause: 'RECV-WRONG-SECRET',
  forges: {
    'another-secret': (genuine, sign) => bearing(genuine, sign(genuine.body, 'touchstone-has-another')),
    'empty-secret': (genuine, sign) => bearing(genuine, sign(genuine.body, '')),
    ...Object.fromEntries(
      unset.map((value): [string, Forge] => [
        `secret-${value}`,
        (genuine, sign) => bearing(genuine, sign(genuine.body, value)),
      ]),
    ),
    'no-secret': (genuine) =>
      bearing(genuine, `sha256=${createHash('sha256').update(genuine.body).digest('hex')}`),
  },
})

export const unsigned = forgedScenario('a delivery without a signature is refused', {
  clause: 'RECV-UNSIGNED',
  forges: {
    'no-header': (genuine) => bearing(genuine),
    'empty-header': (genuine) => bearing(genuine, ''),
    'prefix-only': (genuine) => bearing(genuine, 'sha256='),
  },
})

export const malformed = forgedScenario('a signature of another form is refused', {
  clause: 'RECV-MALFORMED',
  forges: {
    'no-prefix': (genuine) => bearing(genuine, digestOf(genuine)),
    'other-prefix': (genuine) => bearing(genuine, `sha1=${digestOf(genuine)}`),
    'one-digit': (genuine) => bearing(genuine, `sha256=${digestOf(genuine).slice(0, 1)}`),
    'half-the-digits': (genuine) => bearing(genuine, `sha256=${digestOf(genuine).slice(0, 32)}`),
    'one-digit-short': (genuine) => bearing(genuine, `sha256=${digestOf(genuine).slice(0, 63)}`),
    'two-digits-more': (genuine) => bearing(genuine, `sha256=${digestOf(genuine)}00`),
    'not-hex': (genuine) => bearing(genuine, `sha256=${'z'.repeat(64)}`),
    'ends-in-other-than-hex': (genuine) => bearing(genuine, `sha256=${digestOf(genuine).slice(0, 62)}zz`),
    'all-zero': (genuine) => bearing(genuine, `sha256=${'0'.repeat(64)}`),
  },
})

export const bytes = forgedScenario('a signature of 64 characters and 128 bytes is refused', {
  clause: 'RECV-MALFORMED',
  forges: {
    'not-ascii': (genuine) => bearing(genuine, `sha256=${'é'.repeat(64)}`),
    'not-ascii-without-prefix': (genuine) => bearing(genuine, 'é'.repeat(71)),
  },
  anyRefusal: true,
})

export const several = forgedScenario('another prefix, or more than one signature, is refused', {
  clause: 'RECV-MALFORMED',
  forges: {
    'prefix-of-equal-length': (genuine) => bearing(genuine, `sha257=${digestOf(genuine)}`),
    'twice-in-one': (genuine) => bearing(genuine, `sha256=${digestOf(genuine)}, sha256=${digestOf(genuine)}`),
    'wrong-then-true': (genuine) =>
      bearing(genuine, `sha256=${'0'.repeat(64)}`, `sha256=${digestOf(genuine)}`),
    'true-then-wrong': (genuine) =>
      bearing(genuine, `sha256=${digestOf(genuine)}`, `sha256=${'0'.repeat(64)}`),
  },
  anyRefusal: true,
  doubtful: true,
})
