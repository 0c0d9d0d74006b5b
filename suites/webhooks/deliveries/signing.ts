/** Signatures: the secret of each webhook, over the bytes that are sent. */
import { scenario, type Needs } from '../../scenario/scenario.ts'
import { rawOnes } from '../assertions/delivery.ts'
import { secretsApart } from '../assertions/signature.ts'
import { sampleTo } from '../webhook-requests.ts'

const needs: Needs = { session: true, receiver: true }

/** Characters that serializers write in different ways: Latin, a surrogate pair, a line separator, quotes, a slash. */
const unusual = 'Café ☕ 😀 \u2028 "quoted" a/b'

export const ownSecret = scenario({
  title: 'each webhook has its own secret, and signs with it, at the address of one that was removed too',
  exchanges: ['before', 'removal', 'hook', 'other', 'tests[]', 'arrived[]', 'elsewhere[]'],
  needs,
  cost: { requests: 8, turns: 0 },
  profile: 'smoke',
  async run(t) {
    const [place, another] = [t.endpoint('arrived'), t.endpoint('elsewhere')]
    const { id } = await t.webhook('before', place, { custom_headers: { 'X-Touchstone-Own': 'first' } })
    await t.manage('removal', { method: 'DELETE', path: `/${encodeURIComponent(id)}` })
    // A sample may repeat the name of its webhook, and a lead at least names a customer.
    const hook = await t.webhook('hook', place, {
      name: unusual,
      description: unusual,
      events: ['leads.submit'],
      custom_headers: { 'X-Touchstone-Own': 'first' },
    })
    const other = await t.webhook('other', another, { custom_headers: { 'X-Touchstone-Own': 'second' } })
    await t.manageMore('tests', sampleTo(hook))
    await t.manageMore('tests', sampleTo(other))
    await place.arrived(1)
    await another.arrived(1)
  },
  judge: {
    'SIGN-SECRET-OWN': ({ before, hook, other }) => secretsApart([before, hook, other]),
    ...rawOnes,
  },
})
