/** Refusals in another form than the contract gives them. */
import { chatErrors } from '../../../spec/errors.ts'
import { asText, onRefusal, refuseWhere, withStatus, sentBody } from '../../modification/changes.ts'
import { fault, type Fault } from '../../modification/modification.ts'

/** The clauses that name a code, one for each row of the table. */
const codeClauses = Object.values(chatErrors).map(({ clause }) => clause)

export const chatErrorFaults = {
  'codes-in-lower-case': fault({
    title: 'Error codes are in lower case.',
    breaks: [
      ...codeClauses,
      'IDEM-CONFLICT-LENGTH',
      'IDEM-CONFLICT-STREAM',
      'IDEM-IN-FLIGHT-OTHER',
      'IDEM-RACE-OTHERS',
      'IDEM-UNCERTAIN-STAYS',
    ],
    rules: (rules) => ({
      errorLayout: (code, words) => rules.errorLayout(code && code.toLowerCase(), words),
    }),
  }),
  'error-as-receipt': fault({
    title: 'An error looks like a receipt that failed.',
    breaks: ['ERR-NOT-RECEIPT', 'ERR-FLAT', 'ERR-500', 'ERR-503'],
    rules: () => ({
      errorLayout: (code, resolution) => ({ status: 'failed', error: { code, resolution } }),
    }),
  }),
  'error-as-problem': fault({
    title: 'An error is a problem with type, title and detail.',
    breaks: ['ERR-FLAT', 'ERR-500', 'ERR-503'],
    rules: () => ({
      errorLayout: (code, detail) => ({ type: 'about:blank', title: code ?? 'Error', detail }),
    }),
  }),
  'error-as-html': fault({
    title: 'An error says that it is HTML.',
    breaks: ['ERR-JSON'],
    ...onRefusal([], (reply) => asText(reply, 'text/html', JSON.stringify(reply.body))),
  }),
  'unknown-agent-as-410': fault({
    title: 'An agent that does not exist is answered 410.',
    breaks: ['ERR-KNOWN-STATUS', 'AUTH-AGENT-UNKNOWN'],
    ...withStatus(410, 'AGENT_NOT_FOUND'),
  }),
  'server-error-as-html': fault({
    title: 'A server error is a page of HTML.',
    breaks: ['ERR-500'],
    ...onRefusal(['SERVER_ERROR'], (reply) =>
      asText(reply, 'text/html', '<html><title>500 Internal Server Error</title></html>'),
    ),
  }),
  'two-defects-as-list': fault({
    title: 'With two defects in a body, error is a list.',
    breaks: ['ERR-FLAT'],
    ...onRefusal(['INVALID_BODY'], (reply, call) => {
      const { message, conversation_id: id = '' } = sentBody(call)
      const both = typeof message !== 'string' && typeof id !== 'string'
      return both ? { ...reply, body: { error: ['message', 'conversation_id'] } } : reply
    }),
  }),
  'failed-key-stuck': fault({
    title: 'The key of a request that failed with 500 or 503 is in progress for ever.',
    breaks: ['IDEM-IN-FLIGHT-OVERLAP'],
    remember: () => {
      const stuck = new Set<string>()
      return refuseWhere('REQUEST_IN_PROGRESS', ({ about }, call) => {
        const sent = call.body.toString()
        const hasFailed = about.code === 'UNAVAILABLE' || about.code === 'SERVER_ERROR'
        if (hasFailed) stuck.add(sent)
        return !hasFailed && stuck.has(sent)
      })
    },
  }),
} as const satisfies Record<string, Fault>
