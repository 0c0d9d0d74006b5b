/** A draft of an agent design publishes nothing. */
import { scenario, type Judgement } from '../../scenario/scenario.ts'
import { all, check, given, inconclusive } from '../../scenario/expect.ts'
import { reaches } from '../assertions/receipt.ts'
import { canonical } from '../../assertions/reply.ts'
import { type Exchange, member } from '../../wire/exchange.ts'
import { discovered, mustBeListed } from '../access/discovered.ts'

const inspection = 'agent_setup.inspect'

export const draft = scenario({
  title: 'a draft of an agent design leaves the live agent as it is',
  exchanges: ['list', 'before', 'draft', 'second', 'after'],
  needs: {
    principal: { with: ['agent_design_read'] },
    operation: { receipt: 'completed', write: true },
  },
  cost: { requests: 8, turns: 0 },
  async run(t) {
    const { draft: name, live } = t.dialect.design ?? {}
    const operation =
      t.operations.find((fixture) => fixture.name === name) ??
      t.stop('no operation is declared to draft a design; declare `dialect.design.draft`')
    if (live === undefined)
      t.stop('where an inspection shows the live design is not declared; declare `dialect.design.live`')
    const list = await discovered(t, 'list')
    for (const one of [operation, { id: inspection }]) mustBeListed(t, list, one)
    const input = { agentId: t.agent }
    await t.execute('before', inspection, { input })
    await t.execute('draft', operation)
    await t.execute('second', operation)
    await t.execute('after', inspection, { input })
  },
  judge: {
    'EXEC-DRAFT': ({ before, draft: made, second, after }, { dialect }) =>
      given(all(...[before, made, second, after].map((one) => reaches(one, 'completed'))), () =>
        unchanged(before, after, dialect.design?.live ?? ''),
      ),
  },
})

function unchanged(before: Exchange, after: Exchange, live: string): Judgement {
  const [was, is] = [before, after].map((one) => member(one, live))
  if (was === undefined)
    return inconclusive(`an inspection has nothing at ${live}, where the live design is declared`)
  return check(canonical(was) === canonical(is), `the live design ${canonical(was)}`, canonical(is), after)
}
