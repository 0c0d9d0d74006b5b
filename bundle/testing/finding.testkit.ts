import { areaOf, clauses, type ClauseId } from '../../spec/index.ts'
import type { Exchange, Finding } from '../record.ts'

/** A passed check; `over` replaces what matters to a test. */
export function findingOf(over: Partial<Finding> = {}): Finding {
  const { scenario = 'a/b', subject = 'RES-JSON' } = over
  const clause = subject as ClauseId
  return {
    check: `${scenario}/${subject}`,
    subject,
    area: areaOf[clause],
    level: over.level ?? clauses[clause].level,
    basis: 'stated',
    scenario,
    title: '',
    verdict: 'pass',
    evidence: [1],
    states: [],
    ...over,
  }
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** An answered chat request; `over` replaces what matters to a test. */
export function exchange(
  id: number,
  over: Partial<Exchange> & { sent?: string; came?: string } = {},
): Exchange {
  const { sent = '{"message":"Hello"}', came = '{"response":"Hi"}', ...rest } = over
  return {
    id,
    scenario: 'idempotency/replay',
    name: `turn${id}`,
    request: {
      method: 'POST',
      path: '/api/v1/chat/agent-1',
      headers: [
        ['Authorization', 'Bearer sk-very-secret'],
        ['Content-Type', 'application/json'],
      ],
      body: bytes(sent),
      principal: 'main',
    },
    sentAt: 10 * id,
    endedAt: 10 * id + 7,
    response: {
      status: 200,
      headers: [['content-type', came.startsWith('data:') ? 'text/event-stream' : 'application/json']],
      at: 10 * id + 5,
      chunks: [{ at: 10 * id + 6, bytes: bytes(came) }],
      complete: true,
    },
    failure: null,
    ...rest,
  }
}
