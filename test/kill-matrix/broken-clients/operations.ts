/** What clients get wrong with operations, tasks, approvals and uploads. */
import { fails, differs, place, type BrokenClient } from './patch.ts'

const { key, request } = place
const polling = 'for (let reads = 1; !final.includes(task.state) && reads < mostReads; reads++) {'
const final = "const final: readonly unknown[] = ['completed', 'failed', 'cancelled']"
const ends = (...states: readonly string[]): string =>
  `const final: readonly unknown[] = [${states.map((state) => `'${state}'`).join(', ')}]`
const accepted = "if (receipt.status !== 'accepted') return { finished: true, receipt, ...held }"
const held = "for (let tries = 1; receipt.status === 'pending_approval'; tries++) {"
const failedReceipt = "if (receipt.status === 'failed') throw failureOf(200, receipt)"

export const brokenOperations: Readonly<Record<string, BrokenClient>> = {
  'counts what was accepted as finished': fails('LIB-TASK-NOT-DONE LIB-TASK-WAIT LIB-UPLOAD-NOT-DONE', [
    accepted,
    "if (receipt.status !== '') return { finished: true, receipt, ...held }",
  ]),
  'reads a task once and counts it as finished': fails(
    'LIB-TASK-NOT-DONE LIB-TASK-WAIT LIB-UPLOAD-NOT-DONE',
    [polling, polling.replace('mostReads', '1')],
    ['finished: final.includes(task.state)', 'finished: true'],
  ),
  'stops at a task that runs': fails('LIB-TASK-NOT-DONE LIB-TASK-WAIT LIB-UPLOAD-NOT-DONE', [
    final,
    ends('running', 'completed', 'failed', 'cancelled'),
  ]),
  'takes a queued task for finished': fails('LIB-TASK-NOT-DONE LIB-TASK-WAIT LIB-UPLOAD-NOT-DONE', [
    final,
    ends('queued', 'completed', 'failed', 'cancelled'),
  ]),
  'knows of no task that fails': fails('LIB-TASK-WAIT', [final, ends('completed')]),
  'reads a task for ever': fails('LIB-TASK-WAIT', [
    polling,
    polling.replace('!final.includes(task.state) && ', ''),
  ]),
  'makes up a usage where it is refused': fails('LIB-REFUSED', [
    'result: await billing(service, task.read, task.limit)',
    'result: await billing(service, task.read, task.limit).catch(() => ({ credits: { remaining: 41 } }))',
  ]),
  'shows the operations of its package': fails('LIB-OPERATIONS', [
    'result: await discover(service)',
    "result: await discover(service).then(() => ({ operations: ['agent_setup.inspect', 'notes.create'] }))",
  ]),
  'counts what is held as finished': fails('LIB-APPROVAL', [
    held,
    "if (receipt.status === 'pending_approval') return { finished: true, receipt }\n  " + held,
  ]),
  'sends a write again with a new key': fails(
    'LIB-UPLOAD-KEYS LIB-WRITE-KEY',
    [key, ''],
    [
      request,
      request.replace(
        'headers',
        "headers: {\n          ...headers,\n          ...(call.key ? { 'idempotency-key': tries > 1 && !call.path.includes('/chat/') ? `${call.key}-${tries}` : call.key } : {}),\n        }",
      ),
    ],
  ),
  'sends a held write again with a new key': fails('LIB-WRITE-KEY', [
    "return seenThrough(service, () => send(service, { method: 'POST', path, body: { input }, key }, json))",
    "let asks = 0\n  return seenThrough(service, () => send(service, { method: 'POST', path, body: { input }, key: asks++ > 0 ? crypto.randomUUID() : key }, json))",
  ]),
  'writes without a key': fails(
    'LIB-WRITE-KEY',
    [
      "send(service, { method: 'POST', path, body: { input }, key }, json)",
      "send(service, { method: 'POST', path, body: { input } }, json)",
    ],
    ["return method === 'GET' || key !== undefined ? pauseMs : null", 'return pauseMs'],
  ),
  'makes the keys of an upload anew': fails(
    'LIB-UPLOAD-KEYS',
    ["step('prepare', prepareKey,", "step('prepare', crypto.randomUUID(),"],
    ["step('finalize', finalizeKey,", "step('finalize', crypto.randomUUID(),"],
  ),
  'has one key for both steps of an upload': differs({ 'LIB-UPLOAD-KEYS': 'warn' }, [
    "step('finalize', finalizeKey,",
    "step('finalize', prepareKey,",
  ]),
  'asks for all invoices': fails('LIB-BILLING', ["limit === undefined ? '' : `?limit=${limit}`", "''"]),
  'leaves the input out': fails('LIB-OPERATIONS', ['body: { input }, key }', 'body: { input: {} }, key }']),
  'reads the usage at a route of its own': fails('LIB-BILLING', [
    'path: `/api/v1/billing/${read}${query}`',
    "path: `/api/v1/${read === 'usage' ? 'usage' : `billing/${read}`}${query}`",
  ]),
  'says of a read that it was made, and not what came of it': fails(
    'LIB-BILLING LIB-OPERATIONS',
    [
      'result: await billing(service, task.read, task.limit)',
      'result: { read: task.read, credits: typeof (await billing(service, task.read, task.limit)) }',
    ],
    ['result: await discover(service)', 'result: { operations: typeof (await discover(service)) }'],
  ),
  'counts a receipt that failed as finished': fails(
    'LIB-FAILED',
    [
      failedReceipt,
      "if (receipt.status === 'failed') return { finished: true, receipt: { status: 'completed' } }",
    ],
    ['if (!response.ok) throw', 'if (!response.ok && response.status !== 422) throw'],
  ),
  'counts a spreadsheet as imported once it is sent': fails('LIB-UPLOAD-NOT-DONE', [
    'return seenThrough(service, async () => {\n',
    "const sent = async (_: Service, ask: () => Promise<Members>) => ({ finished: true, receipt: await ask() })\n  const through = file.kind === 'document' ? seenThrough : sent\n  return through(service, async () => {\n",
  ]),
  'reads the latest task, whichever that is': fails('LIB-TASK-NOT-DONE LIB-TASK-WAIT LIB-UPLOAD-NOT-DONE', [
    'encodeURIComponent(id as string)',
    "encodeURIComponent(path === 'tasks' ? 'latest' : (id as string))",
  ]),
  'reads tasks without its key': fails('LIB-AUTHORIZATION', [
    'authorization: `Bearer ${service.apiKey}`,',
    "...(call.path.includes('/tasks/') ? {} : { authorization: `Bearer ${service.apiKey}` }),",
  ]),
}
