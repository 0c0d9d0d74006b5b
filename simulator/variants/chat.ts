/** What the contract's words on chat leave a server free to do, though few would do it. */
import type { TurnRequest } from '../tenant/keys.ts'
import { offerOf, buttonStateOf } from '../rules/chat.ts'
import { headerValues } from '../edge/reply.ts'
import { denyingReplay } from './answer.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { remembered } from '../tenant/book.ts'
import {
  onEvents,
  onRefusal,
  onReply,
  memberText,
  refuseWhere,
  withBodyRule,
  withoutBodyRule,
  withoutMembers,
} from '../modification/changes.ts'
import { variant, type Variant, type RuleChange, type TenantHooks } from '../modification/modification.ts'
import { pauseHidesReplies } from '../modification/key-books.ts'

const onlyWhen = 'That a plain turn has none is stated; null says that there is none.'
const plainTurn = ['RES-NO-PRESENTATION', 'SSE-DONE-NO-EXTRAS'] as const

/** Without its interaction, so that its text alone counts. */
const asText = (asked: TurnRequest): TurnRequest => ({
  ...asked,
  request: { ...asked.request, interaction: null },
})

/** Every URL in it, with a signature. */
function signed(value: Json, signature: string): Json {
  if (typeof value === 'string') return value.startsWith('https:') ? `${value}?signature=${signature}` : value
  if (Array.isArray(value)) return value.map((item: Json) => signed(item, signature))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, signed(inner, signature)]))
}

/** Changes every presentation; `nth`: how many there were so far. */
function onPresentation(change: (presentation: JsonObject, nth: number) => Json): TenantHooks {
  let answers = 0
  return onReply((fields) => {
    const { presentation } = fields
    return isObject(presentation) ? { ...fields, presentation: change(presentation, ++answers) } : fields
  })
}

const denials = ['0', 'no', 'No', ''] as const

export const chatVariants = {
  'customer-message-always': variant({
    title: 'Every reply carries a customer_message, which says of its AI reply that it was sent.',
    allowed: 'When there is a customer_message is stated, when there is none is not.',
    ...onReply((fields, _about, { random }) => ({
      customer_message: { id: random.uuid(), ai_reply: { status: 'sent', paused: false } },
      ...fields,
    })),
  }),
  'customer-message-null': variant({
    title: 'A reply that stored no message has a customer_message of null.',
    allowed: 'When there is a customer_message is stated, when there is none is not.',
    ...onReply((fields) => ({ customer_message: null, ...fields })),
  }),
  'presentation-null': variant({
    title: 'A reply that presents nothing has a presentation of null.',
    allowed: onlyWhen,
    warns: plainTurn,
    ...onReply((fields) => ({ presentation: null, ...fields })),
  }),
  'presentation-of-suggestions': variant({
    title: 'Every reply presents an image at least.',
    allowed: 'A turn that has media has a presentation; which turns have some is not stated.',
    warns: plainTurn,
    ...onReply((fields) => ({
      presentation: { version: 1, messages: [], images: [{ url: 'https://example.com/wave.png' }] },
      ...fields,
    })),
  }),
  'paused-as-on-hold': variant({
    title: 'A stored message says of its AI reply that it is on hold.',
    allowed: 'How an AI reply is marked as paused is not shown.',
    warns: ['PAUSE-AI-REPLY'],
    rules: () => ({ pausedMark: { state: 'on_hold' } }),
  }),
  'done-after-error': variant({
    title: 'A stream that failed says done after its error.',
    allowed: 'error says that the request failed, done that the stream is finished.',
    ...onEvents((event, _about, { random }) => {
      if (event.type !== 'error') return [event]
      const credits = { credits_used: 0, credits_remaining: 0 }
      return [event, { type: 'done', response: '', conversation_id: random.uuid(), ...credits }]
    }),
  }),
  'same-key-twice-refused': variant({
    title: 'A key in the body and in a header is refused with 400, even where both are the same.',
    allowed: 'A key may be sent in a header instead of the body; that it may be in both is not stated.',
    rules: (rules) => ({
      chooseKey: (carried) =>
        carried.body !== null && carried.headers.length > 0 ? { is: 'disagree' } : rules.chooseKey(carried),
    }),
  }),
  'long-header-as-431': variant({
    title: 'A key in a header that is too long is refused with 431.',
    allowed: 'A header may be too long before anybody reads it as a key.',
    ...onRefusal(['INVALID_BODY'], (reply, call) => {
      const keys = ['idempotency-key', 'x-idempotency-key'].flatMap((name) => headerValues(call, name))
      return keys.some(({ length }) => length > 255) ? { ...reply, status: 431 } : reply
    }),
  }),
  'media-signed-anew': variant({
    title: 'URLs of images and media carry a signature that is another in every answer.',
    allowed: 'The resource is the same, and the signature has to last from now on.',
    remember: () => onPresentation((presentation, nth) => signed(presentation, String(nth))),
  }),
  'media-expires-anew': variant({
    title: 'A presentation says until when its media can be loaded, which is later in every answer.',
    allowed: 'Which members a presentation has beside its messages, buttons and media is not shown.',
    warns: ['IDEM-REPLAY-PRESENTATION'],
    remember: () =>
      onPresentation((presentation, nth) => ({
        ...presentation,
        expires: new Date(1_800_000_000_000 + nth).toISOString(),
      })),
  }),
  'press-replay-stale': variant({
    title: 'A button is looked at before the key, so that pressed again with the same key it is stale.',
    allowed: 'Two rows match: the key is completed, and the button is superseded.',
    warns: ['FLOW-PRESS-REPLAY'],
    ...refuseWhere(
      'WORKFLOW_INTERACTION_STALE',
      ({ about }) => about.replay === true && about.interaction === true,
    ),
  }),
  'pause-hides-replies': variant({
    title: 'While AI replies are paused, a request that was answered before is stored as a new message.',
    allowed: 'Two rows match: the key is completed, and AI replies are paused.',
    rules: pauseHidesReplies,
  }),
  'forged-as-text': variant({
    title: 'An interaction that nobody offered is passed over, and its text is answered.',
    allowed: 'It starts no Workflow; that it is refused is not stated.',
    rules: (rules) => ({
      ...withoutBodyRule('interaction-type')(rules),
      turnOf: (asked, state) => {
        const { interaction } = asked.request
        if (interaction === null) return asked
        const isKnown = buttonStateOf(offerOf(state, asked)) !== 'unknown'
        return isKnown && interaction['type'] === 'workflow_button' ? asked : asText(asked)
      },
    }),
  }),
  'message-trimmed-first': variant({
    title: 'The blanks at the ends of a message are not counted.',
    allowed: 'That a message is trimmed before it is counted is not ruled out.',
    warns: ['REQ-MESSAGE-OVER'],
    rules: withBodyRule('message-max', ({ message }) =>
      typeof message === 'string' && message.trim().length > 10_000 ? 'message is too long.' : null,
    ),
  }),
  'first-word-kept': variant({
    title: 'Asked for the word, an agent replies with the first one of its conversation.',
    allowed: 'What an agent replies is not stated.',
    rules: () => ({ threadKeeps: (asked) => asked.request.conversationId === null }),
  }),
  'limit-per-hour': variant({
    title: 'A 429 states the limit and the wait of an hour.',
    allowed: 'That the body carries a limit and a wait is stated, of which time is not.',
    warns: ['RATE-BODY-RETRY'],
    rules: (rules) => ({
      rateBody: (state) => ({ ...rules.rateBody(state), limit: 3600, retry_after_seconds: 1800 }),
    }),
  }),
  'remaining-of-the-day': variant({
    title: 'A 429 states the limit per minute and the remainder of the day.',
    allowed: 'That the body carries what remains is stated, of which time is not.',
    warns: ['RATE-BODY-REMAINING'],
    rules: (rules) => ({ rateBody: (state) => ({ ...rules.rateBody(state), remaining: 940 }) }),
  }),
  'limit-in-texts': variant({
    title: 'A 429 states its numbers as strings.',
    allowed: 'What the body carries is stated, of which types is not.',
    rules: (rules) => ({
      rateBody: (state) =>
        Object.fromEntries(
          Object.entries(rules.rateBody(state)).map(([name, value]) => [name, memberText(value)]),
        ),
    }),
  }),
  'fresh-denies-replay-in-other-words': variant({
    title: 'A first answer carries the replay header with the value 0, no or none at all.',
    allowed: 'Only the value true marks a replay.',
    remember: () => {
      let answers = 0
      return {
        reply: (reply, _call, state) =>
          denyingReplay(reply, state, () => denials[answers++ % denials.length] ?? ''),
      }
    },
  }),
  'refusal-with-status': variant({
    title: 'An error says beside its text that its status is failed.',
    allowed: 'A flat error has a text `error`; further members are not ruled out.',
    warns: ['ERR-NOT-RECEIPT'],
    rules: (rules) => ({ errorLayout: (...given) => ({ status: 'failed', ...rules.errorLayout(...given) }) }),
  }),
  'shortage-of-nothing': variant({
    title: 'The two amounts of a 402 are equal.',
    allowed: 'What the amounts are is stated, how they compare is not.',
    rules: (rules) => ({ shortage: (_required, remaining) => rules.shortage(remaining, remaining) }),
  }),
  'shortage-unknown-as-null': variant({
    title: 'A 402 does not know what is required, and says so with null.',
    allowed: 'Both amounts come when known.',
    rules: (rules) => ({
      shortage: (...given) => ({ ...rules.shortage(...given), credits_required: null }),
    }),
  }),
  'shortage-in-texts': variant({
    title: 'The amounts of a 402 are decimal texts.',
    allowed: 'Of which types the amounts are is not stated.',
    warns: ['CRED-EMPTY-AMOUNTS'],
    rules: () => ({
      shortage: (required, remaining) => ({
        credits_required: (required / 1000).toFixed(2),
        credits_remaining: (remaining / 1000).toFixed(2),
      }),
    }),
  }),
  'presentation-version-within': variant({
    title: 'The version of a presentation stands in an object about its schema.',
    allowed: 'Which member says the version is not shown.',
    rules: (rules) => ({
      presentation: (content) => {
        const { version, ...rest } = rules.presentation(content)
        return { ...rest, schema: { name: 'presentation', revision: version ?? null } }
      },
    }),
  }),
} as const satisfies Record<string, Variant>

/** No button that was ever offered is refused for its age. */
const allCurrent: RuleChange = () => ({
  buttonState: (state) => (state === 'superseded' ? 'current' : state),
})

export const workflowVariants = {
  'menu-stays': variant({
    title: 'Every presentation of a conversation offers the buttons of its first one, and all stay current.',
    allowed: 'That other buttons follow is not stated.',
    rules: allCurrent,
    remember: () => {
      const menus = new Map<string, Json>()
      return onReply((fields) => {
        const { presentation, conversation_id: id = null } = fields
        if (!isObject(presentation)) return fields
        const { buttons = [] } = presentation
        const menu = remembered(menus, memberText(id), () => buttons)
        return { ...fields, presentation: { ...presentation, buttons: menu } }
      })
    },
  }),
  'one-press-ends': variant({
    title: 'A Workflow ends with its first press, and its buttons can be pressed again.',
    allowed: 'A new presentation may follow, and what a button is without one is not stated.',
    rules: allCurrent,
    ...onReply((fields, { interaction }) => (interaction ? withoutMembers(fields, 'presentation') : fields)),
  }),
} as const satisfies Record<string, Variant>
