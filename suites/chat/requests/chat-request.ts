/** Valid and invalid chat requests. Every refused request differs in one respect from one that was accepted. */
import { limits } from '../../../spec/index.ts'
import { scenario, type Judgement } from '../../scenario/scenario.ts'
import { answered, shown, status } from '../../assertions/answer.ts'
import { all, check, every, given, softened } from '../../scenario/expect.ts'
import { buttonsOf } from '../assertions/presentation.ts'
import { accepts, asJson, conversationOf, recorded, refusedBeside, replied } from '../../assertions/turn.ts'
import { isStream } from '../../assertions/reply.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { keyInHeader } from './body-defects.ts'

const longest = limits.messageMaxCharacters

/** A `stream` that is no boolean is refused, or coerced to one: in no way does the string `false` ask for a stream. */
function noStream(control: Exchange, other: Exchange): Judgement {
  return given(replied(control), () =>
    given(answered(other), () =>
      check(!isStream(other), 'a refusal, or one JSON object', shown(other, 80), other),
    ),
  )
}

export const messageRules = scenario({
  title: 'a message is a string of 1 to 10,000 characters',
  exchanges: ['shortest', 'blank', 'longest', 'over', 'padded', 'empty', 'number', 'absent'],
  cost: { requests: 8, turns: 3 },
  profile: 'smoke',
  async run(t) {
    await t.chat('shortest', { message: t.text(1) })
    await t.chat('blank', { message: ' ' })
    await t.chat('longest', { message: t.text(longest) })
    await t.chat('over', { message: t.text(longest + 1) })
    // Whitespace is a character, but it may be trimmed before characters are counted.
    await t.chat('padded', { message: t.text(longest - 5) + ' '.repeat(20) })
    await t.chat('empty', { message: '' })
    await t.chat('number', { message: 42 })
    await t.chat('absent', { raw: JSON.stringify({ idempotency_key: t.key() }) })
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
  },
})

export const bodyForm = scenario({
  title: 'a body is one JSON object',
  exchanges: ['accepted', 'malformed', 'array', 'empty'],
  cost: { requests: 4, turns: 1 },
  profile: 'smoke',
  async run(t) {
    const body = JSON.stringify({ message: t.text(30) })
    await t.chat('accepted', keyInHeader(body, t.key()))
    await t.chat('malformed', keyInHeader(body.slice(0, -1), t.key()))
    await t.chat('array', keyInHeader(`[${body}]`, t.key()))
    await t.chat('empty', keyInHeader('', t.key()))
  },
  judge: {
    'REQ-JSON-MALFORMED': ({ accepted, malformed }) => refusedBeside(accepted, malformed, 400),
    'REQ-JSON-OBJECT': ({ accepted, array }) => refusedBeside(accepted, array, 400),
    'REQ-BODY-EMPTY': ({ accepted, empty }) => refusedBeside(accepted, empty, 400),
  },
})

export const conversationMember = scenario({
  title: 'a conversation_id is a uuid',
  exchanges: ['first', 'accepted', 'number', 'words', 'longer', 'unknown'],
  cost: { requests: 6, turns: 3 },
  async run(t) {
    const message = t.text(30)
    const id =
      conversationOf(await t.chat('first', { message })) ?? t.stop('the first turn named no conversation')
    await t.chat('accepted', { message, conversation_id: id })
    await t.chat('number', { message, conversation_id: 42 })
    await t.chat('words', { message, conversation_id: 'not-a-uuid' })
    await t.chat('longer', { message, conversation_id: `${id}-x` })
    await t.chat('unknown', { message, conversation_id: t.uuid() })
  },
  judge: {
    'REQ-CONVERSATION-STRING': ({ accepted, number }) => refusedBeside(accepted, number, 400),
    'REQ-CONVERSATION-UUID': ({ accepted, words, longer }) =>
      every([words, longer], (bad) => refusedBeside(accepted, bad, 400)),
  },
  observe: {
    'GAP-UNKNOWN-CONVERSATION': ({ accepted, unknown }) =>
      recorded(accepted, ['a conversation nobody began', unknown]),
  },
})

export const otherMembers = scenario({
  title: 'stream is off unless it is true, and an interaction is an object',
  exchanges: ['plain', 'off', 'offInWords', 'interactionText', 'interactionList'],
  cost: { requests: 5, turns: 3 },
  async run(t) {
    const message = t.text(30)
    await t.chat('plain', { message })
    await t.chat('off', { message, stream: false })
    await t.chat('offInWords', { message, stream: 'false' })
    await t.chat('interactionText', { message, interaction: 'workflow_button' })
    await t.chat('interactionList', { message, interaction: [] })
  },
  judge: {
    'REQ-STREAM-DEFAULT': ({ plain }) => asJson(plain),
    'REQ-STREAM-FALSE': ({ off, offInWords }) => all(asJson(off), noStream(off, offInWords)),
    'REQ-INTERACTION-OBJECT': ({ plain, interactionText, interactionList }) =>
      every([interactionText, interactionList], (bad) => refusedBeside(plain, bad, 400)),
  },
})

export const interactionAlone = scenario({
  title: 'an interaction does not replace the message',
  exchanges: ['opening', 'alone', 'pressed'],
  needs: { states: ['workflow.current'] },
  cost: { requests: 3, turns: 2 },
  async run(t) {
    const opening = await t.chat('opening', { message: t.message })
    const interaction = buttonsOf(opening, t.dialect)[0] ?? t.stop('the first turn offered no button')
    const conversation_id = conversationOf(opening) ?? t.stop('the first turn named no conversation')
    await t.chat('alone', keyInHeader(JSON.stringify({ conversation_id, interaction }), t.key()))
    await t.chat(
      'pressed',
      keyInHeader(JSON.stringify({ message: t.text(20), conversation_id, interaction }), t.key()),
    )
  },
  judge: {
    // A button can be pressed once: if it worked alone, it cannot work again as the control.
    'REQ-MESSAGE-WITH-INTERACTION': ({ alone, pressed }) =>
      replied(alone).is === 'pass' ? status(alone, 400) : refusedBeside(pressed, alone, 400),
    // A request refused for its body pressed nothing: the button is still current.
    'FLOW-PRESS-STATUS': ({ alone, pressed }) => given(status(alone, 400), () => accepts(pressed)),
  },
})

export const silentBodies = scenario({
  title: 'responses to bodies that the contract leaves unspecified',
  exchanges: ['plain', 'text', 'one', 'nothing', 'unknown', 'untyped', 'astral'],
  cost: { requests: 7, turns: 7 },
  async run(t) {
    const message = t.text(30)
    await t.chat('plain', { message })
    await t.chat('text', { message, stream: 'true' })
    await t.chat('one', { message, stream: 1 })
    await t.chat('nothing', { message, stream: null })
    await t.chat('unknown', { message, extra: { colour: 'green' } })
    await t.chat('untyped', { message, headers: [['Content-Type', 'text/plain']] })
    await t.chat('astral', { message: '🙂'.repeat(longest) })
  },
  judge: {},
  observe: {
    'GAP-STREAM-TYPE': ({ plain, text, one, nothing }) =>
      recorded(plain, ['"true"', text], ['1', one], ['null', nothing]),
    'GAP-UNKNOWN-MEMBER': ({ plain, unknown }) => recorded(plain, ['one unknown member', unknown]),
    'GAP-CONTENT-TYPE': ({ plain, untyped }) => recorded(plain, ['JSON sent as text/plain', untyped]),
    'GAP-CHARACTER-UNIT': ({ plain, astral }) =>
      recorded(plain, ['10,000 code points of two UTF-16 units each', astral]),
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

export const widest = scenario({
  title: 'the length of a message counts characters, not bytes or JSON escapes',
  exchanges: ['letter', 'wide', 'escaped'],
  cost: { requests: 3, turns: 3 },
  async run(t) {
    await t.chat('letter', { message: 'я' })
    await t.chat('wide', { message: 'я'.repeat(longest) })
    await t.chat('escaped', { message: '"'.repeat(longest) })
  },
  judge: {
    // By every way of counting, a letter of two bytes is one character, and so is a character that JSON escapes.
    'REQ-MESSAGE-MAX': ({ letter, wide, escaped }) =>
      given(replied(letter), () => every([wide, escaped], accepts)),
  },
})
