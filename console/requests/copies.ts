/** A request in the forms in which one takes it elsewhere. */
import { curlOf } from '../state/curl.ts'
import { exchanges, type Exchange } from '../state/exchanges.ts'
import type { Credentials } from '../state/tenant.ts'
import { isRepeatable } from './expectations.ts'
import { pytestOf } from './pytest-form.ts'
import { hasReply, replyRuleOf } from './reply-rule.ts'
import { requestOf } from './resend.ts'
import { summaryOf } from './summary.ts'
import { testSourceOf, type TestSource } from './test-source.ts'
import { vitestOf } from './vitest-form.ts'

interface Form {
  readonly text: (one: Exchange, known: Credentials) => string
  readonly fits: (one: Exchange) => boolean
}

/** The request that used the key first, where the response is what it is because of it. */
function beforeOf(one: Exchange): Exchange | undefined {
  const { outcome } = summaryOf(one)
  if (outcome !== 'replay' && outcome !== 'conflict') return undefined
  return exchanges
    .peek()
    .find(({ idempotencyKey, path }) => idempotencyKey === one.idempotencyKey && path === one.path)
}

const test = (form: (source: TestSource) => string): Form => ({
  text: (one, known) => form(testSourceOf(one, beforeOf(one), known)),
  fits: isRepeatable,
})

const curl: Form = {
  text: (one, { keys, sessions }) =>
    curlOf(
      requestOf(one, {
        key: one.idempotencyKey ?? '',
        apiKey: keys['main'] ?? '',
        session: sessions['main'] ?? '',
      }),
    ),
  fits: () => true,
}

export const copyForms: Readonly<Record<string, Form>> = {
  curl,
  vitest: test(vitestOf),
  pytest: test(pytestOf),
  'reply rule': { text: replyRuleOf, fits: hasReply },
}
