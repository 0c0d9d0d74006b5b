/** Clients that are unusual and right all the same: nothing may be said against them. */
import { differs, place, type Patch } from './patch.ts'
import { about, onlyFor } from './scenarios.ts'

type Unusual = Readonly<Record<string, readonly Patch[]>>

const { headers, key } = place

const turns: Unusual = {
  'has the idempotency key in the body': [
    [key, ''],
    [
      place.bytes,
      "const keyed = call.key !== undefined && call.path.includes('/chat/') ? { ...call.body, idempotency_key: call.key } : call.body\n  const body = keyed ? JSON.stringify(keyed) : null\n  if (keyed === call.body && call.key !== undefined) Object.assign(headers, { 'idempotency-key': call.key })",
    ],
  ],
  'calls the header X-Idempotency-Key': [
    [
      key,
      "...(call.key === undefined ? {} : { [call.path.includes('/chat/') ? 'x-idempotency-key' : 'idempotency-key']: call.key }),",
    ],
  ],
  'creates keys of its own from those it is given': [
    [
      key,
      "...(call.key === undefined ? {} : { 'idempotency-key': `shop-${call.key.length}-${call.key.slice(0, 99)}` }),",
    ],
  ],
  'opens a connection for each request': [[headers, `${headers}\n    connection: 'close',`]],
  'says that it wants no stream': [
    [
      'send(service, turn(service, asked), json)',
      'send(service, { ...turn(service, asked), body: { ...turn(service, asked).body, stream: false } }, json)',
    ],
  ],
  'sends headers and members of its own': [
    [
      headers,
      `${headers}\n    'user-agent': 'unusual/1.0',\n    accept: '*/*',\n    'x-request-id': crypto.randomUUID(),`,
    ],
    [place.turn, place.turn.replace('message', 'message, metadata: { from: "shop" }')],
  ],
  'puts a name before each reply, and writes it in another normal form and in one line': [
    [
      'reply: await chat(service, task) })',
      String.raw`reply: ((reply) => ({ ...reply, response: 'Agent: ' + String(reply.response).normalize('NFD').trim().replaceAll(/\s+/g, ' ') }))(await chat(service, task)) })`,
    ],
  ],
  'writes JSON with escapes alone': [
    [
      place.bytes,
      String.raw`const body = call.body
    ? JSON.stringify(call.body).replace(/[^ -~]/g, (unit) => '\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0'))
    : null`,
    ],
  ],
}

const addresses: Unusual = {
  'takes no base address with a path, and no id but of letters and digits': [
    [
      place.bytes,
      "if (!/^http:..[^/]*$/.test(service.baseUrl) || !/^[\\w./-]*$/.test(call.path)) throw new Error('no such address')\n  if (call.path.split('/').length > 5) throw new Error('no such id')\n  " +
        place.bytes,
    ],
  ],
}

const plainAddresses: Unusual = {
  'puts each id into the address as it is': [
    ['${encodeURIComponent(agent)}', '${agent}'],
    ['${encodeURIComponent(operation)}', '${operation}'],
    ['${encodeURIComponent(id as string)}', '${id as string}'],
  ],
}

const retries: Unusual = {
  'tries again more often, and once more after a reply': [
    ['const mostTries = 4', 'const mostTries = 8'],
    [
      'return await read(response)',
      "const first = await read(response)\n      if (call.path.includes('/chat/')) await (await fetch(baseUrl + call.path, { method: 'POST', headers, body })).text()\n      return first",
    ],
  ],
  'asks first whether it may come, waits little at first, and looks for a current button': [
    [
      place.request,
      `await fetch(service.baseUrl + call.path, { method: 'OPTIONS' })\n      ${place.request}`,
    ],
    [
      'const waitMs = tries < mostTries ? pauseBefore(error, call) : null',
      'const asked = tries < mostTries ? pauseBefore(error, call) : null\n      const waitMs = asked === pauseMs ? 12 * 2 ** tries : asked',
    ],
    [
      'send(service, turn(service, asked), json)',
      "send(service, turn(service, asked), json).catch((error) =>\n    asked.interaction ? chat(service, { message: 'What can I choose?', idempotencyKey: `${asked.idempotencyKey}-a` }) : Promise.reject(error),\n  )",
    ],
  ],
  'never tries again': [['const mostTries = 4', 'const mostTries = 1']],
  'writes JSON with blanks': [
    [place.bytes, 'const body = call.body ? JSON.stringify(call.body, null, 2) : null'],
  ],
}

const everything: Unusual = {
  'says nothing': [
    [
      'console.log(`touchstone ${JSON.stringify(line)}`)',
      "'end' in line ? console.log(`touchstone ${JSON.stringify(line)}`) : undefined",
    ],
  ],
}

const operations: Unusual = {
  'reads tasks slowly': [
    ['const mostReads = 40', 'const mostReads = 6'],
    ['    await sleep(pauseMs / 5)\n    task', '    await sleep(pauseMs / 2)\n    task'],
  ],
  'reads tasks fast': [['    await sleep(pauseMs / 5)\n    task', '    await sleep(5)\n    task']],
  'leaves a task behind, and says so': [['reads < mostReads; reads++', 'reads < 1; reads++']],
  'leaves a task behind with an error, and prints what it reads': [
    ['reads < mostReads; reads++', 'reads < 1; reads++'],
    [
      'return { finished: final.includes(task.state), receipt',
      "if (!final.includes(task.state)) throw new Error('it takes too long')\n  return { finished: true, receipt",
    ],
    [
      'result: await billing(service, task.read, task.limit)',
      'result: JSON.stringify(await billing(service, task.read, task.limit), null, 2)',
    ],
  ],
  'writes states in capitals, names both keys of an upload, and has a limit of its own': [
    [
      'return { finished: final.includes(task.state), receipt, task, ...held }',
      'return { finished: final.includes(task.state), receipt, task: { State: String(task.state).toUpperCase() }, ...held }',
    ],
    ['{ fileName, contentType, size })', '{ fileName, contentType, size, prepareKey, finalizeKey })'],
    ['{ uploadId, bytes: content })', '{ uploadId, bytes: content, prepareKey, finalizeKey })'],
    ["limit === undefined ? ''", "limit === undefined && read !== 'invoices' ? ''"],
    ['`?limit=${limit}`', '`?limit=${limit ?? 5}`'],
  ],
  'leaves what is held to somebody else, and says so': [
    [
      "for (let tries = 1; receipt.status === 'pending_approval'; tries++) {",
      "if (receipt.status === 'pending_approval') return { finished: false, receipt }\n  for (let tries = 1; receipt.status === 'pending_approval'; tries++) {",
    ],
  ],
}

const streams: Unusual = {
  'waits a second for the next event, and no longer': [
    [
      'for await (const chunk of body) {',
      "const silence = (): Promise<never> => sleep(1000, null, { ref: false }).then(() => Promise.reject(new Error('silence')))\n  const chunks = body[Symbol.asyncIterator]()\n  const next = () => Promise.race([chunks.next(), silence()])\n  for (let read = await next(); !read.done; read = await next()) {\n    const chunk = read.value",
    ],
  ],
  'reports a reply twice, tokens in its own words, and takes JSON for no stream': [
    [
      place.replied,
      place.replied.replace(
        "report({ saw: 'reply', reply: event })",
        "[event, event].forEach((reply) => report({ saw: 'reply', reply }))",
      ),
    ],
    [
      "report({ saw: 'event', event })",
      "report({ saw: 'event', event: event.type === 'token' ? { type: 'token', text: event.token } : event })",
    ],
    ["else yield { ...(await json(response)), type: 'done' }", 'else yield* stream(service, asked)'],
  ],
  'gives the events of a stream once it is whole': [
    ['yield* eventsOf(response.body)', 'yield* await Array.fromAsync(eventsOf(response.body))'],
  ],
  'asks again when a stream breaks off, with the same key': [
    [
      "if (response.body && type.startsWith('text/event-stream')) yield* eventsOf(response.body)",
      "let begun = false\n  if (response.body && type.startsWith('text/event-stream')) {\n    try {\n      for await (const event of eventsOf(response.body)) {\n        begun = true\n        yield event\n      }\n    } catch (error) {\n      if (error instanceof Failure || !begun) throw error\n      yield { ...(await chat(service, asked)), type: 'done' }\n    }\n  }",
    ],
  ],
  'reports tokens alone': [
    [
      "report({ saw: 'event', event })",
      "if (event.type === 'token' || event.type === 'done') report({ saw: 'event', event })",
    ],
  ],
}

const persistence: Unusual = {
  'reports the usage from its last turn, and asks for what it does not know': [
    [
      'send(service, turn(service, asked), json)',
      'send(service, turn(service, asked), json).then((reply) => {\n    left.set(service.baseUrl, reply.credits_remaining)\n    return reply\n  })',
    ],
    ['export const chat = (', 'const left = new Map<string, Json | undefined>()\nexport const chat = ('],
    [
      "const query = limit === undefined ? '' : `?limit=${limit}`",
      "const known = left.get(service.baseUrl)\n  if (read === 'usage' && known !== undefined) return Promise.resolve({ credits: { remaining: known } })\n  const query = limit === undefined ? '' : `?limit=${limit}`",
    ],
  ],
  'cuts a list of invoices by itself': [
    ["const query = limit === undefined ? '' : `?limit=${limit}`", "const query = ''"],
    [
      "return send(service, { method: 'GET', path: `/api/v1/billing/${read}${query}` }, json)",
      "return send(service, { method: 'GET', path: `/api/v1/billing/${read}${query}` }, json).then((body) => ({\n    ...body,\n    ...(Array.isArray(body.invoices) ? { invoices: body.invoices.slice(0, limit) } : {}),\n  }))",
    ],
  ],
}

const unusual = (scenarios: readonly string[], clients: Unusual) =>
  onlyFor(
    scenarios,
    Object.fromEntries(Object.entries(clients).map(([name, patches]) => [name, differs({}, ...patches)])),
  )

export const unusualClients = {
  ...unusual(['client-kept/*', 'client-billing/*', 'client-discovery/*'], persistence),
  ...unusual(about.turns, turns),
  ...unusual(about.turns, addresses),
  ...unusual(['client-chat-addresses/*', 'client-operation-addresses/*'], plainAddresses),
  ...unusual(about.retries, retries),
  ...unusual(about.everything, everything),
  ...unusual(about.operations, operations),
  ...unusual(about.streams, streams),
}
