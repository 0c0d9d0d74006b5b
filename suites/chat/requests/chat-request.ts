/** Valid and invalid chat requests. Every refused request differs in one respect from one that was accepted. */
import { limits } from '../../../spec/index.ts'
import { scenario, type Judgement } from '../../scenario/scenario.ts'
import { answered, shown } from '../../assertions/answer.ts'
import { all, check, every, given, softened, inTurn, need } from '../../scenario/expect.ts'
import { accepts, asJson, recorded, refusedBeside, replied, toContinue } from '../../assertions/turn.ts'
import { isStream } from '../../assertions/reply.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { defects, keyInHeader, refusedEach, spoiled } from './body-defects.ts'

const longest = limits.messageMaxCharacters

/** A `stream` that is no boolean is refused, or coerced to one: in no way does the string `false` ask for a stream. */
function noStream(control: Exchange, other: Exchange): Judgement {
  return inTurn(need(replied(control)), need(answered(other)), () =>
    check(!isStream(other), 'a refusal, or one JSON object', shown(other, 80), other),
  )
}

export const messageRules = scenario({
  title: 'a body is one JSON object, and its message a string of 1 to 10,000 characters',
  exchanges: [
    'shortest',
    'blank',
    'longest',
    'over',
    'padded',
    'empty',
    'number',
    'absent',
    'keyed',
    'malformed',
    'array',
    'nothing',
    'defects',
    'bodyAndAgent',
    'bodyAndKey',
  ],
  cost: { requests: 15, turns: 5 },
  async run(t) {
    // First: what refuses any turn here says nothing of short messages.
    const body = JSON.stringify({ message: t.text(30) })
    await t.chat('keyed', keyInHeader(body, t.key()))
    await t.chat('shortest', { message: t.text(1) })
    await t.chat('blank', { message: ' ' })
    await t.chat('longest', { message: t.text(longest) })
    await t.chat('over', { message: t.text(longest + 1) })
    // Whitespace is a character, but it may be trimmed before characters are counted.
    await t.chat('padded', { message: t.text(longest - 5) + ' '.repeat(20) })
    await t.chat('empty', { message: '' })
    await t.chat('number', { message: 42 })
    await t.chat('absent', { raw: JSON.stringify({ idempotency_key: t.key() }) })
    // A key in a header may be why one of these is refused.
    await t.chat('malformed', keyInHeader(body.slice(0, -1), t.key()))
    await t.chat('array', keyInHeader(`[${body}]`, t.key()))
    await t.chat('nothing', keyInHeader('', t.key()))
    // The form of the refusal, which rules judge, may be another one.
    await t.chat('defects', { message: 42, conversation_id: 42, interaction: 42 })
    await t.chat('bodyAndAgent', { message: '', agent: t.uuid() })
    await t.chat('bodyAndKey', { message: '', as: null })
  },
  judge: {
    'REQ-MESSAGE-MIN': ({ shortest, blank }) =>
      all(
        accepts(shortest),
        given(replied(shortest), () => softened(accepts(blank))),
      ),
    'REQ-MESSAGE-MAX': ({ shortest, longest }) => given(replied(shortest), () => accepts(longest)),
    'REQ-MESSAGE-OVER': ({ longest, over, padded }) =>
      all(refusedBeside(longest, over, 400), softened(refusedBeside(longest, padded, 400))),
    'REQ-MESSAGE-EMPTY': ({ shortest, empty }) => refusedBeside(shortest, empty, 400),
    'REQ-MESSAGE-STRING': ({ shortest, number }) => refusedBeside(shortest, number, 400),
    'REQ-MESSAGE-REQUIRED': ({ shortest, absent }) => refusedBeside(shortest, absent, 400),
    'REQ-JSON-MALFORMED': ({ keyed, malformed }) => refusedBeside(keyed, malformed, 400),
    'REQ-JSON-OBJECT': ({ keyed, array }) => refusedBeside(keyed, array, 400),
    'REQ-BODY-EMPTY': ({ keyed, nothing }) => refusedBeside(keyed, nothing, 400),
  },
  observe: {
    'GAP-CHECK-ORDER': ({ shortest, bodyAndAgent, bodyAndKey }) =>
      recorded(shortest, ['bad body, no such agent', bodyAndAgent], ['bad body, no key', bodyAndKey]),
  },
})

export const otherMembers = scenario({
  title: 'each other member has its type, and what the contract says nothing of is recorded',
  exchanges: [
    'plain',
    'accepted',
    'number',
    'words',
    'longer',
    'elsewhere',
    'off',
    'offInWords',
    'onInWords',
    'one',
    'nothing',
    'interactionText',
    'interactionList',
    'unknown',
    'untyped',
  ],
  cost: { requests: 15, turns: 9 },
  async run(t) {
    const message = t.text(30)
    const id = toContinue(t, await t.chat('plain', { message }))
    await t.chat('accepted', { message, conversation_id: id })
    await t.chat('number', { message, conversation_id: 42 })
    await t.chat('words', { message, conversation_id: 'not-a-uuid' })
    await t.chat('longer', { message, conversation_id: `${id}-x` })
    await t.chat('elsewhere', { message, conversation_id: t.uuid() })
    await t.chat('off', { message, stream: false })
    await t.chat('offInWords', { message, stream: 'false' })
    await t.chat('onInWords', { message, stream: 'true' })
    await t.chat('one', { message, stream: 1 })
    await t.chat('nothing', { message, stream: null })
    await t.chat('interactionText', { message, interaction: 'workflow_button' })
    await t.chat('interactionList', { message, interaction: [] })
    await t.chat('unknown', { message, extra: { colour: 'green' } })
    await t.chat('untyped', { message, headers: [['Content-Type', 'text/plain']] })
  },
  judge: {
    'REQ-CONVERSATION-STRING': ({ accepted, number }) => refusedBeside(accepted, number, 400),
    'REQ-CONVERSATION-UUID': ({ accepted, words, longer }) =>
      every([words, longer], (bad) => refusedBeside(accepted, bad, 400)),
    'REQ-STREAM-FALSE': ({ off, offInWords }) => all(asJson(off), noStream(off, offInWords)),
    'REQ-INTERACTION-OBJECT': ({ plain, interactionText, interactionList }) =>
      every([interactionText, interactionList], (bad) => refusedBeside(plain, bad, 400)),
  },
  observe: {
    'GAP-UNKNOWN-CONVERSATION': ({ accepted, elsewhere }) =>
      recorded(accepted, ['a conversation nobody began', elsewhere]),
    'GAP-STREAM-TYPE': ({ plain, onInWords, one, nothing }) =>
      recorded(plain, ['"true"', onInWords], ['1', one], ['null', nothing]),
    'GAP-UNKNOWN-MEMBER': ({ plain, unknown }) => recorded(plain, ['one unknown member', unknown]),
    'GAP-CONTENT-TYPE': ({ plain, untyped }) => recorded(plain, ['JSON sent as text/plain', untyped]),
  },
})

export const hugeBody = scenario({
  title: 'the response to a body of two mebibytes',
  exchanges: ['plain', 'huge'],
  cost: { requests: 2, turns: 2 },
  profile: 'exhaustive',
  async run(t) {
    const body = JSON.stringify({ message: t.text(30) })
    await t.chat('plain', keyInHeader(body, t.key()))
    await t.chat('huge', keyInHeader(body + ' '.repeat(2 * 1024 * 1024), t.key()))
  },
  judge: {},
  observe: {
    'GAP-BODY-SIZE': ({ plain, huge }) => recorded(plain, ['two mebibytes of spaces after the body', huge]),
  },
})

export const manyDefects = scenario({
  title: 'a body with any one defect is refused, over many of each kind',
  exchanges: ['first', 'accepted', 'bad[]'],
  cost: { requests: 2 + 8 * defects.length, turns: 2 },
  profile: 'exhaustive',
  async run(t) {
    const message = t.text(20 + t.pick(100))
    const id = toContinue(t, await t.chat('first', { message }))
    const base = { message, conversation_id: id }
    await t.chat('accepted', keyInHeader(JSON.stringify(base), t.key()))
    for (const raw of spoiled(base, t.pick(2 ** 31), 8)) await t.add('bad', keyInHeader(raw, t.key()))
  },
  judge: refusedEach(defects, refusedBeside),
})
