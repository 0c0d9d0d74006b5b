/** Situations in which the server fails, and a stream that is not as a client may expect. */
import type { SituationDefinition, SituationTable } from './definition.ts'
import { freshKey, step, turn } from './steps.ts'

type Failures = 'server-error' | 'unavailable' | 'stream-error' | 'unknown-event'

interface Failing {
  readonly title: string
  readonly shows: string
  readonly status: 500 | 503
  readonly does: string
}

/** One request fails before its turn runs; the same request again succeeds. */
const failsOnce = ({
  title,
  shows,
  status,
  does,
}: Failing): SituationDefinition<'server-error'> & SituationDefinition<'unavailable'> => ({
  title,
  shows,
  set(tenant) {
    const [agent, message] = [tenant.agents.plain, 'Are you there?']
    const base = { apiKey: tenant.keys.main, agent, message, idempotencyKey: freshKey(tenant, 'failure') }
    tenant.fail({ status, agent })
    const steps = [
      step(turn(base), { does, status, shows: 'error' }),
      step(turn(base), {
        does: 'A retry with the same key succeeds.',
        status: 200,
        shows: 'You said: Are you there?',
      }),
    ]
    return { ...base, steps }
  },
})

export const failureSituations: Pick<SituationTable, Failures> = {
  'server-error': failsOnce({
    title: 'The server fails with an internal error',
    shows: 'the next request fails with 500: retry with the same key',
    status: 500,
    does: 'The request fails.',
  }),
  unavailable: failsOnce({
    title: 'The server is unavailable',
    shows: 'the next request fails with 503: retry later with the same key',
    status: 503,
    does: 'The server is unavailable.',
  }),
  'stream-error': {
    title: 'A stream ends with an error',
    shows: 'the stream starts with status 200 and ends with an error event instead of done',
    set(tenant) {
      const [agent, message] = [tenant.agents.failing, 'Explain this at length.']
      const base = { apiKey: tenant.keys.main, agent, message, idempotencyKey: freshKey(tenant, 'stream') }
      const steps = [
        step(turn(base, { stream: true }), {
          does: 'After two tokens the stream ends with an error.',
          status: 200,
          shows: '"type":"error"',
        }),
        step(turn({ ...base, agent: tenant.agents.plain, idempotencyKey: `${base.idempotencyKey}-2` }), {
          does: 'Another agent is not affected.',
          status: 200,
          shows: 'You said: Explain this at length.',
        }),
      ]
      return { ...base, steps }
    },
  },
  'unknown-event': {
    title: 'A stream has an event of an unknown type',
    shows: 'a client ignores the event, and reads the reply to its end',
    set(tenant) {
      const [agent, message] = [tenant.agents.plain, 'What is new?']
      const base = { apiKey: tenant.keys.main, agent, message, idempotencyKey: freshKey(tenant, 'event') }
      const insert = [{ behind: 1, event: { type: 'from_a_later_version', detail: 'ignore me' } }]
      tenant.addNetworkFaults([
        { on: { path: `/api/v1/chat/${agent}` }, do: { is: 'encode', as: { insert } } },
      ])
      const steps = [
        step(turn(base, { stream: true }), {
          does: 'The second event of the stream has an unknown type.',
          status: 200,
          shows: 'from_a_later_version',
        }),
        step(turn(base, { stream: true }), {
          does: 'The replay is without it.',
          status: 200,
          shows: '"type":"done"',
        }),
      ]
      return { ...base, steps }
    },
  },
}
