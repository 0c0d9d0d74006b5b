/** Authorization: which key may send a message to which agent. */
import { scenario, type Judgement } from '../../scenario/scenario.ts'
import { refused, status, statusOf } from '../../assertions/answer.ts'
import { all, check, every, given, inconclusive, softened } from '../../scenario/expect.ts'
import { notTheReplyOf, ran, replayed } from '../../assertions/once.ts'
import { apiKeyIn, noEcho, refusedInStream } from '../assertions/refusal.ts'
import { accepts, conversationOf, recorded, refusedBeside, replied } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { inOtherCase, isMixed } from '../../wire/route.ts'

const otherSign = new Map(Array.from('0123456789abcdef', (sign, at) => [sign, '5678901234bcdefa'.charAt(at)]))

/** Sequential ids: the next one may be the agent of another account, but there are no hundreds of millions. */
const counted = /^(\D*)(\d{1,8})$/

/** An id of the same form that no agent has: in its last characters every digit and hexadecimal letter is replaced. */
function lookalikeOf(id: string): string {
  const [, prefix, number] = counted.exec(id) ?? []
  if (number !== undefined) return `${prefix}${900_000_000 + Number(number)}`
  const tail = id.slice(-4).replaceAll(/[\da-f]/gi, (sign) => otherSign.get(sign.toLowerCase()) ?? sign)
  const other = id.slice(0, -4) + tail
  return other === id ? `${id}0` : other
}

const inCase = (isMixed: boolean, judged: Judgement): Judgement => (isMixed ? judged : softened(judged))

export const credentials = scenario({
  title:
    'a request with no valid key, or for no agent that exists, is refused, and uses up no idempotency key',
  exchanges: [
    'accepted',
    'missing',
    'unknown',
    'proper',
    'longer',
    'otherCase',
    'revoked[]',
    'replayed',
    'streamed',
    'streamedMissing',
    'basic',
    'token',
    'empty',
    'neighbour',
    'anywhere',
    'beyondAscii',
    'continued',
  ],
  needs: { also: { revoked: { kind: 'revoked' } } },
  cost: { requests: 17, turns: 2, paced: 6 },
  profile: 'smoke',
  async run(t) {
    const message = t.text(30)
    const accepted = await t.chat('accepted', { message })
    const key = apiKeyIn(accepted)
    t.note('keyHasPrefix', key.startsWith('sk-'))
    t.note('keyIsMixed', isMixed(key))
    const sign = (value: string) => ({ message, as: null, headers: [['Authorization', value]] as const })
    const [unknown, idempotency_key] = [`Bearer sk-${t.uuid()}`, t.key()]
    await t.chat('missing', { message, idempotency_key, as: null })
    await t.chat('unknown', { ...sign(unknown), idempotency_key })
    await t.chat('proper', { message: t.text(40), idempotency_key })
    await t.chat('longer', sign(`Bearer ${key}${'abc'.repeat(50)}`))
    // A key without letters is extended instead, so that it is a different key.
    const other = inOtherCase(key)
    await t.chat('otherCase', sign(`Bearer ${other === key ? `${key}x` : other}`))
    if (t.has('revoked')) await t.add('revoked', { message, as: 'revoked', agent: t.agentOf('revoked') })
    await t.resend('replayed', accepted, { headers: [['Authorization', unknown]], as: null })
    await t.chat('streamed', { ...sign(unknown), stream: true })
    await t.chat('streamedMissing', { message, stream: true, as: null })
    await t.chat('basic', sign(`Basic ${key}`))
    await t.chat('token', sign(`Token ${key}`))
    await t.chat('empty', sign('Bearer '))
    const neighbour = lookalikeOf(t.agent)
    t.note('isInScope', t.agentOf('self', neighbour) === neighbour)
    await t.chat('neighbour', { message, agent: neighbour })
    await t.chat('anywhere', { message, agent: t.uuid() })
    await t.chat('beyondAscii', { message, agent: `агент ${t.uuid()} ${t.uuid()}` })
    // The conversation belongs to an existing agent, the path does not.
    const id = conversationOf(accepted)
    const within = id === null ? {} : { conversation_id: id }
    await t.chat('continued', { message, agent: t.uuid(), stream: true, ...within })
  },
  judge: {
    'AUTH-MISSING': ({ accepted, missing }) => refusedBeside(accepted, missing, 401),
    // A key in a single case may be case-insensitive, like hexadecimal digits.
    'AUTH-UNKNOWN': ({ accepted, unknown, longer, otherCase, revoked, replayed, streamed }, { notes }) =>
      all(
        every([unknown, longer, ...revoked, replayed, streamed], (bad) => refusedBeside(accepted, bad, 401)),
        inCase(notes['keyIsMixed'] === true, refusedBeside(accepted, otherCase, 401)),
      ),
    'AUTH-STREAM': ({ accepted, streamedMissing }) => refusedBeside(accepted, streamedMissing, 401),
    'AUTH-SCHEME': ({ accepted, basic, token }) =>
      every([basic, token], (bad) => refusedBeside(accepted, bad, 401)),
    'AUTH-EMPTY': ({ accepted, empty }) => refusedBeside(accepted, empty, 401),
    'AUTH-KEY-PREFIX': ({ accepted }, { notes }) =>
      given(replied(accepted), () =>
        check(
          notes['keyHasPrefix'] === true,
          'a key that begins with `sk-`',
          'a key that does not',
          accepted,
        ),
      ),
    'AUTH-NO-ECHO': ({ accepted, unknown }) =>
      given(replied(accepted), () => every([accepted, unknown], noEcho)),
    'IDEM-SQUATTING': ({ missing, unknown, proper }) =>
      given(
        every([missing, unknown], (one) => status(one, 401)),
        () => ran(proper),
      ),
    // A uuid of no agent. If agents have no uuids as ids, a server may refuse its form.
    'AUTH-AGENT-UNKNOWN': ({ accepted, neighbour, anywhere, beyondAscii, continued }, { notes }) =>
      all(
        notes['isInScope'] === true ? refusedBeside(accepted, neighbour, 404) : notFound(accepted, neighbour),
        uuidPath.test(accepted.request.path) ? notFound(accepted, anywhere) : oddId(accepted, anywhere),
        oddId(accepted, beyondAscii),
        given(notFound(accepted, neighbour), () => refused(continued)),
      ),
  },
  observe: {
    'GAP-REFUSAL-CODES': ({ accepted, missing, anywhere }) =>
      recorded(accepted, ['without a key', missing], ['without an agent', anywhere]),
  },
})

export const otherKeys = scenario({
  title: 'a key sends messages only with the scope chat, to its own agent, and to its own account',
  exchanges: [
    'free',
    'mute',
    'muteStream',
    'continued',
    'own',
    'ownStream',
    'away',
    'awayStream',
    'carried',
    'next',
    'stranger',
    'foreign',
    'again',
  ],
  needs: {
    also: {
      mute: { without: ['chat'] },
      restricted: { kind: 'restricted' },
      stranger: { kind: 'other-account' },
    },
  },
  cost: { requests: 13, turns: 5 },
  async run(t) {
    const request = { message: t.text(30), idempotency_key: t.key() }
    const { message } = request
    const free = await t.chat('free', request)
    const id = conversationOf(free)
    const within = id === null ? {} : { conversation_id: id }
    await t.optional(['mute', 'muteStream', 'continued'], async () => {
      const mute = { message, as: 'mute' }
      await t.chat('mute', mute)
      await t.chat('muteStream', { ...mute, stream: true })
      await t.chat('continued', { ...mute, ...within })
    })
    await t.optional(['own', 'ownStream', 'away', 'awayStream', 'carried'], async () => {
      const away = { message, as: 'restricted' }
      await t.chat('away', away)
      await t.chat('awayStream', { ...away, stream: true })
      // Shows that what was refused was free.
      await t.chat('next', { message })
      const own = { ...away, agent: t.agentOf('restricted') }
      const begun = conversationOf(await t.chat('own', own))
      await t.chat('ownStream', { ...own, stream: true })
      await t.chat('carried', { ...away, ...(begun === null ? {} : { conversation_id: begun }) })
    })
    await t.optional(['stranger', 'foreign', 'again'], async () => {
      await t.chat('stranger', { message, as: 'stranger' })
      await t.chat('foreign', { ...request, as: 'stranger', agent: t.agentOf('stranger') })
      await t.resend('again', free)
    })
  },
  judge: {
    'AUTH-NO-CHAT': ({ free, mute, muteStream, continued }) =>
      all(
        refusedBeside(free, mute, 403),
        refusedInStream(free, muteStream, 403),
        // The conversation, which this key does not know, may be another reason.
        given(refusedBeside(free, mute, 403), () => refused(continued)),
      ),
    'AUTH-AGENT-OWN': ({ free, own, ownStream }) =>
      given(replied(free), () => every([own, ownStream], accepts)),
    'AUTH-AGENT-SCOPE': ({ free, own, away, awayStream, carried }) =>
      given(replied(free), () =>
        all(
          refusedBeside(own, away, 403),
          refusedInStream(own, awayStream, 403),
          // A conversation of another agent may be a reason of its own.
          given(refusedBeside(own, away, 403), () => refused(carried)),
        ),
      ),
    'AUTH-AGENT-FOREIGN': ({ free, stranger }) =>
      given(replied(free), () =>
        stranger.response?.status === 401
          ? inconclusive('the key of the other account is not valid')
          : refused(stranger),
      ),
    'IDEM-OTHER-ACCOUNT': ({ free, foreign, again }) =>
      given(replayed(free, again), () => notTheReplyOf(free, foreign)),
  },
  observe: {
    'GAP-FOREIGN-AGENT': ({ free, stranger }) =>
      given(refused(stranger), () => recorded(free, ['an agent of another account', stranger])),
  },
})

export const plan = scenario({
  title: 'an agent that the plan does not allow is refused',
  exchanges: ['disallowed', 'streamed', 'allowed'],
  needs: { states: ['plan.disallows'] },
  cost: { requests: 3, turns: 1 },
  async run(t) {
    await t.chat('disallowed', { message: t.message })
    await t.chat('streamed', { message: t.message, stream: true })
    await t.leave('plan.disallows')
    await t.chat('allowed', { message: t.message })
  },
  judge: {
    'AUTH-PLAN': ({ disallowed, streamed, allowed }) =>
      all(refusedBeside(allowed, disallowed, 403), refusedInStream(allowed, streamed, 403)),
  },
})

const uuidPath = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Warns for 403: a key restricted to another agent may get it for any other agent. */
function notFound(accepted: Exchange, other: Exchange): Judgement {
  const judgement = refusedBeside(accepted, other, 404)
  if (judgement.is !== 'fail' || statusOf(other) !== 403) return judgement
  return softened(judgement)
}

/** An id of no agent with a different form, which may be the reason of the refusal: that warns. */
function oddId(accepted: Exchange, odd: Exchange): Judgement {
  const judgement = notFound(accepted, odd)
  if (judgement.is !== 'fail') return judgement
  return refused(odd).is === 'pass' ? softened(judgement) : judgement
}
