/** Signatures: the secret of each webhook, over the bytes that are sent. */
import { scenario, type Needs } from '../../scenario/scenario.ts'
import { allSigned, secretsApart } from '../assertions/signature.ts'
import { sampleTo } from '../webhook-requests.ts'
import { rawOnes } from '../assertions/delivery.ts'

const needs: Needs = { session: true, receiver: true }

/** Characters that serializers write in different ways: Latin, a surrogate pair, a line separator, quotes, a slash. */
const unusual = 'Café ☕ 😀 \u2028 "quoted" a/b'

export const beyondAscii = scenario({
  title: 'the bytes that are sent are signed, with text beyond ASCII too',
  exchanges: ['hook', 'test', 'arrived[]'],
  needs,
  cost: { requests: 3, turns: 0 },
  async run(t) {
    const place = t.endpoint('arrived')
    // A sample may repeat the name of its webhook, and a lead at least names a customer; without text beyond ASCII
    // there is nothing to judge.
    const hook = await t.webhook('hook', place, {
      name: unusual,
      description: unusual,
      events: ['leads.submit'],
    })
    await t.manage('test', sampleTo(hook))
    await place.arrived(1)
  },
  judge: rawOnes,
})

/** Every sixteenth digest begins with a zero, which a number would drop: one delivery is not enough. */
const samples = 32

export const someSamples = scenario({
  title: `${samples} samples are signed with 64 digits each`,
  exchanges: ['hook', 'tests[]', 'arrived[]'],
  needs,
  cost: { requests: samples + 2, turns: 0 },
  async run(t) {
    const place = t.endpoint('arrived')
    const hook = await t.webhook('hook', place)
    for (let sent = 1; sent <= samples; sent++) await t.manageMore('tests', sampleTo(hook))
    await place.arrived(samples)
  },
  judge: { 'SIGN-VALUE': ({ hook, arrived }) => allSigned(arrived, hook) },
})

export const ownSecret = scenario({
  title: 'each webhook has its own secret, and signs with it',
  exchanges: ['hook', 'other', 'tests[]', 'arrived[]', 'elsewhere[]'],
  needs,
  cost: { requests: 6, turns: 0 },
  profile: 'smoke',
  async run(t) {
    const [place, another] = [t.endpoint('arrived'), t.endpoint('elsewhere')]
    const hook = await t.webhook('hook', place, { custom_headers: { 'X-Touchstone-Own': 'first' } })
    const other = await t.webhook('other', another, { custom_headers: { 'X-Touchstone-Own': 'second' } })
    await t.manageMore('tests', sampleTo(hook))
    await t.manageMore('tests', sampleTo(other))
    await place.arrived(1)
    await another.arrived(1)
  },
  judge: {
    'SIGN-SECRET-OWN': ({ hook, other }) => secretsApart([hook, other]),
  },
})
