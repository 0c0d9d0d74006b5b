/**
 * What the time or the memory of a row is spent on, from profiles (`node --cpu-prof`, heap snapshots). Repeat the profile
 * when a row changes.
 */
export const notes: Readonly<Record<string, string>> = {
  'startup/command':
    'Node itself takes about a fifth. The rest is loading some 60 modules, most of it ours in few bundled files, and creating a tenant; no function stands out. It was 283 ms: with `reply-file.ts` in a chunk of its own, ajv and yaml are not loaded (160 modules less, and no schema is compiled), and without an import of `node:http` neither are WebSocket and fetch (a tenth). In a clone 370 sources are found and read one by one, which takes about twice the processor time.',
  'turns/bare-node-http':
    'about half is node:http and the socket, which the bare server needs as well. Most of the other half is the turn (body, key, account, conversation, reply, headers), where no function takes more than two hundredths. The rest is garbage collection, because a turn leaves objects behind: its key, its conversation and its journal entry.',
  'turns/prism-mock':
    'the same turn. It took 62 µs of processor time before tenants were limited and could be stored, and 72 since: a place and an age for each key and conversation, detection of clients that do not read, and above all garbage from more stored objects.',
  'streams/in-one-go':
    'each token becomes an event in the log of the turn, is serialized as JSON, framed and recorded in the journal with its time, while the bare server writes given strings. With a flush after each, sockets dominate on both sides.',
  'openStreams/memory':
    'two thirds are heap, half of which V8 reserves for young objects and does not use: with `NODE_OPTIONS=--max-semi-space-size=16` the same streams take about 50 MB less. A stream has some 12 KB of objects, mostly headers of both directions (socket, journal, turn) and those of node:http.',
  'profile/busy':
    'the run is the first of its process, so most functions run before they are optimized. Of the distinguishable parts a fifth is the simulator, a tenth judging, and a tenth generating and shrinking command sequences; no other exceeds a few hundredths.',
  'properties/fast-check':
    'both mostly wait for the same responses. Ours also records every byte with its time, observes budgets and the pace of each key, sets timeouts, and judges each response by its clause.',
  'report/shown':
    'mostly Chromium reading and laying out 29,000 elements, of which all but the first screen is folded; the first paint is much earlier.',
}
