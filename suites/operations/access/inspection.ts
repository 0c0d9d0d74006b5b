/** The only operation that the contract names: which key may inspect the setup of which agent. */
import { scenario, type Judgement } from '../../scenario/scenario.ts'
import { answered, codesOf } from '../../assertions/answer.ts'
import { letIn, listedOnlyFor } from '../assertions/catalogue.ts'
import { all, fail, every, given, inconclusive, notApplicable, pass } from '../../scenario/expect.ts'
import { isGoing, neverCompleted, reaches, describeReceipt, refusedExecution } from '../assertions/receipt.ts'
import { confirmed } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { discovered, listPath, mustBeListed, operationsIn } from './discovered.ts'

const id = 'agent_setup.inspect'
/** No operation, or the same one: refused to every key without the scope. */
const inOtherLetters = 'Agent_Setup.Inspect'
const designs = { principal: { with: ['agent_design_read'] }, executes: true } as const

export const byScope = scenario({
  title:
    'only a key with agent_design_read finds the inspection, and may run it, of its own agents, which it names',
  exchanges: ['list', 'lists[]', 'inspected', 'refused[]', 'disguised', 'bare', 'empty', 'own', 'away'],
  needs: {
    ...designs,
    others: { other: { without: ['agent_design_read'] } },
    also: {
      restricted: { kind: 'restricted', with: ['agent_design_read'] },
      lister: { with: ['read_agents'], without: ['agent_design_read'] },
      writer: { with: ['knowledge.write'], without: ['agent_design_read'] },
    },
  },
  cost: { requests: 18, turns: 0 },
  async run(t) {
    const input = { agentId: t.agent }
    mustBeListed(t, operationsIn(t, await t.discover('list')), { id })
    await t.execute('inspected', id, { input })
    for (const as of ['other', 'lister', 'writer'].filter((role) => t.has(role))) {
      await t.readMore('lists', listPath, { as })
      await t.executeMore('refused', id, { input, as })
    }
    await t.execute('disguised', inOtherLetters, { input, as: 'other' })
    await t.execute('bare', id, { input: {} })
    await t.execute('empty', id, { input: { agentId: '' } })
    await t.optional(['own', 'away'], async () => {
      await t.execute('own', id, { as: 'restricted', input: { agentId: t.agentOf('restricted') } })
      await t.execute('away', id, { as: 'restricted', input })
    })
  },
  judge: {
    'OPS-PER-KEY': ({ list, lists }, context) => every(lists, (one) => listedOnlyFor(id, list, one, context)),
    'SCOPE-INSPECT-GRANTED': ({ inspected }) =>
      confirmed(letIn(inspected), isGoing(inspected) ? pass : inconclusive(describeReceipt(inspected))),
    'SCOPE-INSPECT': ({ inspected, refused, disguised }) =>
      beside(inspected, all(every(refused, closed), isGoing(disguised) ? closed(disguised) : pass)),
    'EXEC-INSPECT-AGENT': ({ inspected }) =>
      given(letIn(inspected), () => (isGoing(inspected) ? pass : reaches(inspected, 'completed'))),
    'EXEC-INSPECT-AGENT-REQUIRED': ({ inspected, bare, empty }) =>
      beside(
        inspected,
        all(
          neverCompleted(bare, 'an inspection without `agentId`'),
          neverCompleted(empty, 'an inspection with an empty `agentId`'),
        ),
      ),
    'SCOPE-AGENT': ({ inspected, own, away }) =>
      beside(own, beside(inspected, refusedExecution(away, 'an operation on another agent'))),
  },
})

export const whilePaused = scenario({
  title: 'an inspection works while AI replies are paused',
  exchanges: ['list', 'inspected', 'paused[]'],
  // The pause is one for turns of other scenarios, too.
  needs: { ...designs, alone: true },
  cost: { requests: 7, turns: 0 },
  async run(t) {
    mustBeListed(t, await discovered(t, 'list'), { id })
    await t.execute('inspected', id, { input: { agentId: t.agent } })
    if (t.providerOf('chat.paused') === 'none') return
    await t.enter('chat.paused')
    await t.executeMore('paused', id, { input: { agentId: t.agent } })
  },
  judge: {
    'EXEC-LISTED': ({ inspected, paused }) =>
      paused.length === 0
        ? notApplicable('AI replies cannot be paused here')
        : beside(inspected, every(paused, executedThough)),
  },
})

/** A pause affects replies to customers only. A refusal for another reason is not judged here. */
function executedThough(paused: Exchange): Judgement {
  return given(answered(paused), () => {
    if (isGoing(paused)) return pass
    return codesOf(paused).includes('AI_REPLY_PAUSED')
      ? fail('an inspection while replies are paused', describeReceipt(paused), paused)
      : inconclusive(`while replies are paused the inspection was answered ${describeReceipt(paused)}`)
  })
}

const closed = (refused: Exchange): Judgement =>
  refusedExecution(refused, 'an inspection without agent_design_read')

/** A refusal counts only if the same request was accepted with another key; an accepted one counts in any case. */
function beside(twin: Exchange, judgement: Judgement): Judgement {
  if (judgement.is !== 'pass' || isGoing(twin)) return judgement
  return given(reaches(twin, 'completed'), () => judgement)
}
