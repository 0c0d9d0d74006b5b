/** What clients get wrong with operations, tasks, approvals and uploads. */
import { place, type BrokenClient } from './patch.ts'

const { key, limited, request } = place
const polling = 'for (let reads = 1; !final.includes(task.state) && reads < mostReads; reads++) {'
const final = "const final: readonly unknown[] = ['completed', 'failed', 'cancelled']"
const ends = (...states: readonly string[]): string =>
  `const final: readonly unknown[] = [${states.map((state) => `'${state}'`).join(', ')}]`
const accepted = "if (receipt.status !== 'accepted') return { finished: true, receipt, ...held }"
const held = "for (let tries = 1; receipt.status === 'pending_approval'; tries++) {"
const failedReceipt = "if (receipt.status === 'failed') throw failureOf(200, receipt)"

export const brokenOperations: Readonly<Record<string, BrokenClient>> = {
  'counts what was accepted as finished': {
    patches: [[accepted, "if (receipt.status !== '') return { finished: true, receipt, ...held }"]],
    found: { 'LIB-TASK-NOT-DONE': 'fail', 'LIB-TASK-WAIT': 'fail', 'LIB-UPLOAD-NOT-DONE': 'fail' },
  },
  'reads a task once and counts it as finished': {
    patches: [
      [polling, polling.replace('mostReads', '1')],
      ['finished: final.includes(task.state)', 'finished: true'],
    ],
    found: { 'LIB-TASK-NOT-DONE': 'fail', 'LIB-TASK-WAIT': 'fail', 'LIB-UPLOAD-NOT-DONE': 'fail' },
  },
  'stops at a task that runs': {
    patches: [[final, ends('running', 'completed', 'failed', 'cancelled')]],
    found: { 'LIB-TASK-NOT-DONE': 'fail', 'LIB-TASK-WAIT': 'fail', 'LIB-UPLOAD-NOT-DONE': 'fail' },
  },
  'takes a task in need of input for finished': {
    patches: [[final, ends('input_required', 'completed', 'failed', 'cancelled')]],
    found: { 'LIB-TASK-NOT-DONE': 'fail', 'LIB-TASK-WAIT': 'fail' },
  },
  'takes a queued task for finished': {
    patches: [[final, ends('queued', 'completed', 'failed', 'cancelled')]],
    found: { 'LIB-TASK-NOT-DONE': 'fail', 'LIB-TASK-WAIT': 'fail', 'LIB-UPLOAD-NOT-DONE': 'fail' },
  },
  'knows of no task that fails': {
    patches: [[final, ends('completed')]],
    found: { 'LIB-TASK-WAIT': 'fail' },
  },
  'knows of no task that is cancelled': {
    patches: [[final, ends('completed', 'failed')]],
    found: { 'LIB-TASK-WAIT': 'fail' },
  },
  'reads a task for ever': {
    patches: [[polling, polling.replace('!final.includes(task.state) && ', '')]],
    found: { 'LIB-TASK-WAIT': 'fail' },
  },
  'makes up a usage where it is refused': {
    patches: [
      [
        'result: await billing(service, task.read, task.limit)',
        'result: await billing(service, task.read, task.limit).catch(() => ({ credits: { remaining: 41 } }))',
      ],
    ],
    found: { 'LIB-REFUSED': 'fail' },
  },
  'shows the operations of its package': {
    patches: [
      [
        'result: await discover(service)',
        "result: await discover(service).then(() => ({ operations: ['agent_setup.inspect', 'notes.create'] }))",
      ],
    ],
    found: { 'LIB-OPERATIONS': 'fail' },
  },
  'sends the bytes of an upload that is held': {
    patches: [["if (prepared.status !== 'completed') return prepared", '']],
    found: { 'LIB-APPROVAL': 'fail' },
  },
  'counts what is held as finished': {
    patches: [
      [held, "if (receipt.status === 'pending_approval') return { finished: true, receipt }\n  " + held],
    ],
    found: { 'LIB-APPROVAL': 'fail' },
  },
  'says of a failure that it failed, and no more': {
    patches: [
      ['code: receipt.code ?? said ?? null,', 'code: null,'],
      ['...(receipt.resolution === undefined ? {} : { resolution: receipt.resolution }),', ''],
      [
        "...(typeof seconds === 'number' ? { retryAfterSeconds: seconds } : {}),\n    body,",
        "...(typeof seconds === 'number' ? { retryAfterSeconds: seconds } : {}),",
      ],
    ],
    found: { 'LIB-FAILED': 'fail' },
  },
  'sends a write again with a new key': {
    patches: [
      [key, ''],
      [
        request,
        request.replace(
          'headers',
          "headers: {\n          ...headers,\n          ...(call.key ? { 'idempotency-key': tries > 1 && !call.path.includes('/chat/') ? `${call.key}-${tries}` : call.key } : {}),\n        }",
        ),
      ],
    ],
    found: { 'LIB-UPLOAD-KEYS': 'fail', 'LIB-WRITE-KEY': 'fail' },
  },
  'writes without a key': {
    patches: [
      [
        "send(service, { method: 'POST', path, body: { input }, key }, json)",
        "send(service, { method: 'POST', path, body: { input } }, json)",
      ],
      ["return method === 'GET' || key !== undefined ? pauseMs : null", 'return pauseMs'],
    ],
    found: { 'LIB-WRITE-KEY': 'fail' },
  },
  'carries out what is refused in another way': {
    patches: [
      [limited, `if (status === 403) return 0\n  ${limited}`],
      [
        request,
        request.replace('headers', "headers: tries > 1 ? { ...headers, 'x-confirm': 'true' } : headers"),
      ],
    ],
    found: { 'LIB-NOT-PERMITTED': 'warn' },
  },
  'makes the keys of an upload anew': {
    patches: [
      ["step('prepare', prepareKey,", "step('prepare', crypto.randomUUID(),"],
      ["step('finalize', finalizeKey,", "step('finalize', crypto.randomUUID(),"],
    ],
    found: { 'LIB-UPLOAD-KEYS': 'fail' },
  },
  'makes the keys of an upload anew when it is held': {
    patches: [
      [
        'return seenThrough(service, async () => {\n',
        "let times = 0\n  return seenThrough(service, async () => {\n    const more = times++ > 0 ? `-${times}` : ''\n",
      ],
      ["step('prepare', prepareKey,", "step('prepare', prepareKey + more,"],
      ["step('finalize', finalizeKey,", "step('finalize', finalizeKey + more,"],
    ],
    found: { 'LIB-UPLOAD-KEYS': 'fail' },
  },
  'has one key for both steps of an upload': {
    patches: [["step('finalize', finalizeKey,", "step('finalize', prepareKey,"]],
    found: { 'LIB-UPLOAD-KEYS': 'warn' },
  },
  'reads another billing than asked for': {
    patches: [['path: `/api/v1/billing/${read}${query}`', 'path: `/api/v1/billing/usage${query}`']],
    found: { 'LIB-BILLING': 'fail' },
  },
  'asks for all invoices': {
    patches: [["limit === undefined ? '' : `?limit=${limit}`", "''"]],
    found: { 'LIB-BILLING': 'fail' },
  },
  'leaves out of an input what is nought or empty': {
    patches: [
      [
        'body: { input }, key }',
        'body: { input: Object.fromEntries(Object.entries(membersOf(input)).filter(([, value]) => value)) }, key }',
      ],
    ],
    found: { 'LIB-OPERATIONS': 'fail' },
  },
  'leaves the input out': {
    patches: [['body: { input }, key }', 'body: { input: {} }, key }']],
    found: { 'LIB-OPERATIONS': 'fail' },
  },
  'reads the usage at a route of its own': {
    patches: [
      [
        'path: `/api/v1/billing/${read}${query}`',
        "path: `/api/v1/${read === 'usage' ? 'usage' : `billing/${read}`}${query}`",
      ],
    ],
    found: { 'LIB-BILLING': 'fail' },
  },
  'says of a read that it was made, and not what came of it': {
    patches: [
      [
        'result: await billing(service, task.read, task.limit)',
        'result: { read: task.read, credits: typeof (await billing(service, task.read, task.limit)) }',
      ],
      ['result: await discover(service)', 'result: { operations: typeof (await discover(service)) }'],
    ],
    found: { 'LIB-BILLING': 'fail', 'LIB-OPERATIONS': 'fail' },
  },
  'counts a receipt that failed as finished': {
    patches: [
      [
        failedReceipt,
        "if (receipt.status === 'failed') return { finished: true, receipt: { status: 'completed' } }",
      ],
      ['if (!response.ok) throw', 'if (!response.ok && response.status !== 422) throw'],
    ],
    found: { 'LIB-FAILED': 'fail' },
  },
  'counts a spreadsheet as imported once it is sent': {
    patches: [
      [
        'return seenThrough(service, async () => {\n',
        "const sent = async (_: Service, ask: () => Promise<Members>) => ({ finished: true, receipt: await ask() })\n  const through = file.kind === 'document' ? seenThrough : sent\n  return through(service, async () => {\n",
      ],
    ],
    found: { 'LIB-UPLOAD-NOT-DONE': 'fail' },
  },
  'reads the latest task, whichever that is': {
    patches: [
      [
        'encodeURIComponent(id as string)',
        "encodeURIComponent(path === 'tasks' ? 'latest' : (id as string))",
      ],
    ],
    found: { 'LIB-TASK-NOT-DONE': 'fail', 'LIB-TASK-WAIT': 'fail', 'LIB-UPLOAD-NOT-DONE': 'fail' },
  },
  'reads tasks without its key': {
    patches: [
      [
        'authorization: `Bearer ${service.apiKey}`,',
        "...(call.path.includes('/tasks/') ? {} : { authorization: `Bearer ${service.apiKey}` }),",
      ],
    ],
    found: { 'LIB-AUTHORIZATION': 'fail' },
  },
}
