/** Workflow turns: their presentations, and buttons that are current, superseded or forged. */
import { scenario, type Driver } from '../../scenario/scenario.ts'
import { refusal, refused, status } from '../../assertions/answer.ts'
import { all, every, given, notApplicable, observed } from '../../scenario/expect.ts'
import { noSecondRun, replayed, ways } from '../../assertions/once.ts'
import {
  isStale,
  notPressed,
  notPressedElsewhere,
  pressedNotText,
  pressReplayed,
  samePresentation,
  buttonsOf,
  copyable,
  forged,
  offersButton,
  presents,
  sameButton,
} from '../assertions/presentation.ts'
import { unlessStreamed } from '../assertions/refusal.ts'
import { field, inForm, balanced } from '../../assertions/reply.ts'
import { accepts, asked, confirmed, replied } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { flowOf, pressing } from './workflow-steps.ts'

const needs = { states: ['workflow.current'] } as const

export const press = scenario({
  title: 'a current button continues its Workflow, and can be pressed once',
  exchanges: [
    'opening',
    'openingAgain',
    'press',
    'pressAgain',
    'stale',
    'staleAgain',
    'current',
    'plain',
    'otherButton',
  ],
  needs: { ...needs, exclusiveCredits: ['FLOW-STALE-FREE'] },
  cost: { requests: 9, turns: 3 },
  async run(t) {
    const opening = await t.chat('opening', { message: t.message })
    await t.resend('openingAgain', opening)
    const flow = flowOf(t, opening)
    const request = { ...pressing(t, flow), idempotency_key: t.key() }
    const press = await t.chat('press', request)
    await t.resend('pressAgain', press)
    const next = flowOf(t, press)
    if (next.buttons.some((button) => sameButton(button, flow.button)))
      t.stop('the next presentation offers the same button again')
    await t.resend('staleAgain', await t.chat('stale', pressing(t, flow)))
    await t.chat('current', pressing(t, { ...flow, button: next.button }))
    const { interaction: _, ...plain } = request
    await t.chat('plain', plain)
    await t.chat('otherButton', { ...request, interaction: next.button })
  },
  judge: {
    'FLOW-PRESENTATION-OBJECT': ({ opening }) => field(opening, 'presentation', 'object'),
    'FLOW-BUTTON-COPYABLE': ({ opening }, { dialect }) => copyable(opening, dialect),
    'IDEM-REPLAY-PRESENTATION': ({ opening, openingAgain }, { dialect }) =>
      given(replayed(opening, openingAgain), () => samePresentation(opening, openingAgain, dialect)),
    'FLOW-PRESS-STATUS': ({ opening, press }, { dialect }) =>
      given(offersButton(opening, dialect), () => accepts(press)),
    'FLOW-PRESS-REPLAY': ({ press, pressAgain }, { dialect }) => pressReplayed(press, pressAgain, dialect),
    'IDEM-OTHER-INTERACTION': ({ press, plain, otherButton }) => noSecondRun(press, plain, otherButton),
    'FLOW-STALE-STATUS': ({ press, stale, staleAgain }) =>
      given(replied(press), () => every([stale, staleAgain], (one) => status(one, 409))),
    'FLOW-STALE-CODE': ({ press, stale }) =>
      given(replied(press), () => refusal(stale, 409, 'WORKFLOW_INTERACTION_STALE')),
    'FLOW-STALE-UNCHANGED': ({ stale, current }) => given(status(stale, 409), () => accepts(current)),
    'FLOW-STALE-FREE': ({ opening, press, stale, staleAgain, current }) =>
      given(
        all(
          every([stale, staleAgain], (one) => status(one, 409)),
          balanced(opening, press),
        ),
        () => balanced(press, current),
      ),
  },
  observe: {
    'GAP-INTERACTION-TYPES': ({ opening }, { dialect }) =>
      given(offersButton(opening, dialect), () => {
        const [button] = buttonsOf(opening, dialect)
        const kinds = [button?.runId, button?.nodeId, button?.payload].map((value) => typeof value)
        return observed(`runId: ${kinds[0]}, nodeId: ${kinds[1]}, payload: ${kinds[2]}`)
      }),
    'GAP-IDENTICAL': ({ press, plain, otherButton }) =>
      ways(press, { 'without the interaction': plain, 'with another button': otherButton }),
  },
})

/** At most this many buttons are tried: a presentation may include older ones. */
const mostTried = 4

export const streamed = scenario({
  title: 'Workflow turns can be streamed, refusals are JSON then, and buttons of a later text can be pressed',
  exchanges: ['opening', 'press', 'stale', 'text', 'pressed[]'],
  needs,
  cost: { requests: 4 + mostTried, turns: 3 + mostTried },
  async run(t) {
    const flow = flowOf(t, await t.chat('opening', { message: t.message, stream: true }))
    const press = await t.chat('press', { ...pressing(t, flow), stream: true })
    if (flowOf(t, press).buttons.some((button) => sameButton(button, flow.button)))
      t.stop('the next presentation offers the same button again')
    await t.chat('stale', { ...pressing(t, flow), stream: true })
    const { conversation_id } = flow
    const text = await t.chat('text', { message: t.text(24), conversation_id, stream: true })
    for (const button of buttonsOf(text, t.dialect).slice(0, mostTried))
      if (!isStale(await t.add('pressed', { ...pressing(t, { ...flow, button }), stream: true }))) break
  },
  judge: {
    'FLOW-STREAM-PRESENTATION': ({ opening }) =>
      given(inForm(opening, 'stream'), () => field(opening, 'presentation', 'object')),
    'FLOW-PRESS-STREAM': ({ opening, press }) =>
      given(replied(opening), () => all(accepts(press), inForm(press, 'stream'))),
    'FLOW-STALE-STATUS': ({ press, stale }) =>
      given(replied(press), () => unlessStreamed(stale, () => status(stale, 409))),
    'FLOW-STALE-CODE': ({ press, stale }) =>
      given(replied(press), () =>
        unlessStreamed(stale, () => refusal(stale, 409, 'WORKFLOW_INTERACTION_STALE')),
      ),
    // Without Workflow content the text has no presentation; with some, this is judged elsewhere.
    'FLOW-PRESS-STATUS': ({ opening, text, pressed }, { dialect }) =>
      given(all(replied(opening), replied(text)), () => {
        const last = pressed.at(-1)
        if (!last) return notApplicable('a text alone presents no button')
        const isAll = pressed.length === buttonsOf(text, dialect).length
        return isStale(last) && !isAll ? notApplicable('not all of the buttons were tried') : accepts(last)
      }),
  },
})

/**
 * At most this many forged interactions are compared with their texts alone: a server that accepts one accepts others
 * like it.
 */
const mostTexts = 2

/**
 * Sends the messages whose responses had a presentation again without the interaction, at the same point of a
 * conversation: a presentation that is then missing was not caused by the text.
 */
async function textsAlone(t: Driver<'opening' | 'texts[]'>, forged: readonly Exchange[]): Promise<void> {
  for (const one of forged.filter(presents).slice(0, mostTexts)) {
    const { message, conversation_id: named } = asked(one) ?? {}
    const flow = named === undefined ? null : flowOf(t, await t.chat('opening', { message: t.message }))
    const within = flow === null ? {} : { conversation_id: flow.conversation_id }
    await t.add('texts', { message: String(message), ...within })
  }
}

export const unoffered = scenario({
  title: 'an interaction that was never offered has no effect of a button',
  exchanges: ['opening', 'run', 'node', 'everything', 'type', 'begun', 'texts[]', 'genuine'],
  needs,
  cost: { requests: 8 + 2 * mostTexts, turns: 8 + 2 * mostTexts },
  async run(t) {
    const flow = flowOf(t, await t.chat('opening', { message: t.message }))
    const instead = (button: typeof flow.button) => pressing(t, { ...flow, button })
    const otherRun = (): typeof flow.button => forged(flow.button, ['runId'], t.uuid())
    const unoffered = [
      await t.chat('run', instead(otherRun())),
      await t.chat('node', instead(forged(flow.button, ['nodeId'], t.uuid()))),
      await t.chat('everything', instead(forged(flow.button, ['runId', 'nodeId', 'payload'], t.uuid()))),
      await t.chat('type', instead({ ...flow.button, type: 'workflow_start' })),
      // Without a conversation no presentation can cause the reply.
      await t.chat('begun', { message: t.text(24), interaction: otherRun() }),
    ]
    await textsAlone(t, unoffered)
    // A turn that ran in between may have superseded the button.
    const isCurrent = unoffered.every((one) => replied(one).is !== 'pass')
    const last = isCurrent ? flow : flowOf(t, await t.chat('opening', { message: t.message }))
    await t.chat('genuine', pressing(t, last))
  },
  judge: {
    'FLOW-FORGED': ({ opening, run, node, everything, begun, texts, genuine }, { dialect }) =>
      notPressed({ opening, forged: [run, node, everything, begun], texts, genuine }, dialect),
    'FLOW-FORGED-TYPE': ({ opening, type, texts, genuine }, { dialect }) =>
      notPressed({ opening, forged: [type], texts, genuine }, dialect),
    'FLOW-PRESS-STATUS': ({ opening, run, node, everything, genuine }) =>
      pressedNotText({ opening, forged: [run, node, everything], genuine }),
  },
  observe: {
    'GAP-FORGED': ({ run, node, everything, type, genuine }) =>
      ways(genuine, { 'another run': run, 'another node': node, everything, 'another type': type }),
  },
})

export const elsewhere = scenario({
  title: 'a button of one agent has no effect with another agent, or for a key of another agent alone',
  exchanges: ['opening', 'away[]', 'elsewhere[]', 'texts[]', 'genuine'],
  needs: {
    ...needs,
    secondAgent: true,
    also: { restricted: { kind: 'restricted' } },
    extra: true,
  },
  cost: { requests: 5, turns: 4 },
  async run(t) {
    const flow = flowOf(t, await t.chat('opening', { message: t.message }))
    if (t.has('restricted') && t.agentOf('restricted') !== t.agent)
      await t.add('away', { ...pressing(t, flow), as: 'restricted' })
    if (t.secondAgent !== t.agent) {
      const request = { agent: t.secondAgent, message: t.text(24) }
      const one = await t.add('elsewhere', { ...request, interaction: flow.button })
      if (presents(one)) await t.add('texts', request)
    }
    await t.chat('genuine', pressing(t, flow))
  },
  judge: {
    'FLOW-FORGED': ({ opening, elsewhere: [one], texts, genuine }) =>
      one
        ? notPressedElsewhere({ opening, elsewhere: one, texts, genuine })
        : notApplicable('the second agent is the one with the Workflow'),
    // A button can be pressed once: if the restricted key pressed it, the other key cannot.
    'AUTH-AGENT-SCOPE': ({ opening, away: [away], genuine }) =>
      away
        ? given(replied(opening), () => confirmed(refused(away), replied(genuine)))
        : notApplicable('no key is restricted to another agent'),
  },
})
