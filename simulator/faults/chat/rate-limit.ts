/** Limits that are wrong, counted for the wrong subject, or reported wrongly. */
import { keyId, claimKey } from '../../chat/claim.ts'
import { turnOfCall, onRefusal, withoutMembers } from '../../modification/changes.ts'
import { fault, type Fault } from '../../modification/modification.ts'

const limit =
  (requests: number): NonNullable<Fault['rules']> =>
  (rules) => ({
    rate: { ...rules.rate, limit: requests },
    rateBody: (state) => ({ ...rules.rateBody(state), limit: 60 }),
  })

export const rateLimitFaults = {
  'limit-too-high': fault({
    title: 'Three hundred requests of a key within a minute are accepted.',
    breaks: ['RATE-UPPER'],
    rules: limit(300),
  }),
  'limit-too-low': fault({
    title: 'Thirty requests of a key within a minute meet the limit.',
    breaks: ['RATE-LOWER'],
    rules: limit(30),
  }),
  'limit-per-account': fault({
    title: 'All keys of an account share one limit.',
    breaks: ['RATE-PER-KEY'],
    rules: () => ({ rateSubject: ({ account }) => account }),
  }),
  'limit-without-retry': fault({
    title: 'A 429 does not say when to try again.',
    breaks: ['RATE-BODY-RETRY'],
    rules: (rules) => ({ rateBody: (state) => withoutMembers(rules.rateBody(state), 'retry_after_seconds') }),
  }),
  'retry-too-soon': fault({
    title: 'A 429 asks to try again after a second, whatever is left of the minute.',
    breaks: ['RATE-RECOVERS'],
    rules: (rules) => ({ rateBody: (state) => ({ ...rules.rateBody(state), retry_after_seconds: 1 }) }),
  }),
  'limited-request-keeps-key': fault({
    title: 'A request that met the limit uses its key up.',
    breaks: ['RATE-KEY-USABLE'],
    ...onRefusal(['RATE_LIMITED'], (reply, call, state) => {
      const asked = turnOfCall(call, state)
      if (asked && !state.keys.find(keyId(state, asked))) claimKey(state, state.keys, asked)
      return reply
    }),
  }),
  'rate-headers-missing': fault({
    title: 'Answers carry no rate-limit headers.',
    breaks: ['RATE-HEADERS'],
    rules: () => ({ rateHeaders: () => [] }),
  }),
  'limit-left-out': fault({
    title: 'A 429 does not say what the limit is.',
    breaks: ['RATE-BODY-LIMIT'],
    rules: (rules) => ({ rateBody: (state) => withoutMembers(rules.rateBody(state), 'limit') }),
  }),
  'remaining-in-full': fault({
    title: 'A 429 says that all of the limit remains, as it will in the next minute.',
    breaks: ['RATE-BODY-REMAINING'],
    rules: (rules) => ({ rateBody: (state) => ({ ...rules.rateBody(state), remaining: state.limit }) }),
  }),
} as const satisfies Record<string, Fault>
