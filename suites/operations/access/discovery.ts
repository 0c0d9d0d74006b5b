/** The operations that a key is shown, and what it may do with them. */
import { scenario, type Driver, type Judgement } from '../../scenario/scenario.ts'
import { type Exchange, type Json, status } from '../../wire/exchange.ts'
import { answersJson, letIn, listsSome, outline } from '../assertions/catalogue.ts'
import { fail, every, given, inconclusive, observed, pass, measured } from '../../scenario/expect.ts'
import type { OperationFixture } from '../../config/target.ts'
import { receiptStatus, reaches, describeReceipt, refusedExecution } from '../assertions/receipt.ts'
import { saysMore } from '../../assertions/page.ts'
import { discoveredIn, type Discovered } from '../assertions/pointers/pointer-discovery.ts'
import { confirmed } from '../../assertions/turn.ts'
import { listPath, readsOf } from './discovered.ts'

const most = 6

export const list = scenario({
  title: 'a key receives its operations, each with its schema',
  exchanges: ['list', 'more[]'],
  cost: { requests: 2, turns: 0 },
  profile: 'smoke',
  async run(t) {
    await t.discover('list')
    await t.readMore('more', listPath)
  },
  judge: {
    'OPS-LIST': ({ list, more }, context) =>
      confirmed(every([list, ...more], answersJson), listsSome(list, context)),
  },
  observe: {
    'GAP-DISCOVERY-SHAPE': ({ list }) => given(answersJson(list), () => observed(outline(list))),
    'GAP-OTHER-RATES': ({ list, more }) => {
      const asked = [list, ...more]
      const limited = asked.filter((one) => status(one) === 429)
      return limited.length > 0
        ? measured(`${limited.length} of ${asked.length} calls in a row were answered 429`)
        : observed(`${asked.length} calls in a row met no limit`)
    },
  },
})

/** The declared input, with an agent that the key may use. */
const inputFor = (t: Driver, read: OperationFixture, as: string): Json =>
  JSON.parse(
    JSON.stringify(t.inputOf(read)).replaceAll(JSON.stringify(t.agent), () => JSON.stringify(t.agentOf(as))),
  )

/** For another key: those that name an agent first. */
const few = 2

/** What the key of a role is shown, and whether that is all: a list may be one page of several. */
async function shownTo(t: Driver<'lists[]'>, as: string) {
  const list = t.shownBefore(listPath, as) ?? (await t.readMore('lists', listPath, { as }))
  const known = readsOf(t).map(({ id }) => id)
  const shown = discoveredIn(list, t.dialect, known)
  return { shown: shown ?? [], isWhole: shown !== null && !saysMore(list, shown.length) }
}

/** Declared reads that the key was shown, with an agent that it may use. */
async function tryAll(t: Driver<'lists[]' | 'executed[]' | 'others[]'>, as: string): Promise<void> {
  const { shown } = await shownTo(t, as)
  const reads = readsOf(t).filter(({ id }) => isShown(shown, id))
  const isOwn = as === 'self'
  if (isOwn && reads.length === 0) t.stop('no read that the target file declares is in the list of this key')
  const namesAgent = ({ input }: OperationFixture) => JSON.stringify(input).includes(t.agent)
  const tried = isOwn
    ? reads.slice(0, most)
    : reads.toSorted((one, other) => Number(namesAgent(other)) - Number(namesAgent(one))).slice(0, few)
  for (const read of tried)
    await t.executeMore(isOwn ? 'executed' : 'others', read, { as, input: inputFor(t, read, as) })
}

const isShown = (shown: readonly Discovered[], id: string): boolean => shown.some((one) => one.id === id)

export const permitted = scenario({
  title: 'a key can execute the operations of its list, with fewer scopes and restricted to an agent too',
  exchanges: ['lists[]', 'executed[]', 'others[]'],
  needs: {
    operation: { receipt: 'completed', write: false },
    also: { less: { without: ['agent_design_read'] }, within: { kind: 'restricted' } },
  },
  cost: { requests: 6 + most + 2 * few, turns: 0 },
  async run(t) {
    await tryAll(t, 'self')
    for (const as of ['less', 'within']) if (t.has(as)) await tryAll(t, as)
  },
  judge: {
    'OPS-LISTED-PERMITTED': ({ executed, others }) => every([...executed, ...others], letIn),
    'EXEC-LISTED': ({ executed }) => every(executed, isExecuted),
  },
})

/** Executed, with any result. A refusal for the input is judged elsewhere. */
function isExecuted(exchange: Exchange): Judgement {
  return given(letIn(exchange), () => {
    if (receiptStatus(exchange) !== null) return pass
    const expected = 'the operation to be executed here'
    const got = status(exchange) ?? 0
    if ([404, 405, 501].includes(got)) return fail(expected, describeReceipt(exchange), exchange)
    return inconclusive(`\`${exchange.name}\` was answered ${describeReceipt(exchange)}`)
  })
}

export const unlisted = scenario({
  title: 'an operation that is not in the list of a key is refused',
  exchanges: ['lists[]', 'twins[]', 'strangers[]', 'unlisted[]'],
  needs: {
    principal: { with: ['agent_design_read'] },
    others: { less: { without: ['agent_design_read'] } },
    also: { within: { kind: 'restricted' } },
    operation: { receipt: 'completed', write: false },
  },
  cost: { requests: 6 + 4 * most, turns: 0 },
  async run(t) {
    const [own, less] = [await shownTo(t, 'self'), await shownTo(t, 'less')]
    if (!own.isWhole || !less.isWhole)
      t.stop(
        'a list of operations is not found, or one page of several: what it does not show may be on another',
      )
    const { shown } = own
    const reads = readsOf(t)
    const apart = (list: readonly Discovered[]) =>
      reads.filter(({ id }) => isShown(shown, id) && !isShown(list, id)).slice(0, most)
    const twice = async (read: OperationFixture, as: string) => {
      await t.executeMore('twins', read)
      await t.executeMore('strangers', read, { as, input: inputFor(t, read, as) })
    }
    for (const read of apart(less.shown)) await twice(read, 'less')
    for (const read of reads.filter(({ id }) => !isShown(shown, id)).slice(0, most))
      await t.executeMore('unlisted', read)
    if (!t.has('within')) return
    const within = await shownTo(t, 'within')
    if (within.isWhole) for (const read of apart(within.shown)) await twice(read, 'within')
  },
  judge: {
    'OPS-UNLISTED-REFUSED': ({ twins, strangers, unlisted }) => {
      // A read with a route of its own is refused here for every key, and proves nothing.
      const relevant = strangers.filter((_, i) => {
        const twin = twins[i]
        return twin !== undefined && reaches(twin, 'completed').is === 'pass'
      })
      if (relevant.length + unlisted.length === 0)
        return inconclusive(
          'both keys are shown all the reads that the target file declares and that complete',
        )
      return every([...relevant, ...unlisted], (one) =>
        refusedExecution(one, 'an operation that is not in the list of the key'),
      )
    },
  },
})
