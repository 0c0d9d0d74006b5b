/**
 * What the time or the memory of a row is spent on, from profiles (`node --cpu-prof`, heap snapshots). Repeat the profile
 * when a row changes.
 */
export const notes: Readonly<Record<string, string>> = {
  'startup/command':
    'loading some 80 modules, 28 of them bundles of ours, and creating a tenant; no function stands out. 160 modules less, with ajv and yaml, since the reader of reply files has a bundle of its own; and no `import` of `node:http`, which reads every name of it and so loads WebSocket and fetch too. Both together took half of the processor time. In a clone 370 sources are found and read one by one, in about twice the processor time of the package.',
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
  'deadEndpoints/ten':
    'garbage collection, which has 10,000 deliveries more to look at, and events of turns that no webhook selected: they are made, and every webhook is asked.',
  'deadEndpoints/every-turn':
    'half is garbage collection, because every turn leaves a delivery. The rest is its payload, its id and a place in the queue; nothing is signed, serialized or timed before an attempt. A delivery took 760 bytes and takes 472, since its key is made where it is stored, its id is one flat string, and the list of attempts is shared until there is one: a quarter to a third less processor time.',
  'properties/fast-check':
    'both mostly wait for the same responses. Ours also records every byte with its time, observes budgets and the pace of each key, sets timeouts, and judges each response by its clause.',
  'report/shown':
    'mostly Chromium reading and laying out 29,000 elements, of which all but the first screen is folded; the first paint is much earlier.',
  'stores/postgres-1':
    'the same write with two checks in one statement: that the tenant is still ours, which locks its row, and that no later commit was written, which updates a row. A commit of one tenant that removes nothing has a statement of its own since it was measured, without lists to join: the server takes 1.8 times the processor time of the bare statement, instead of 2.6 times. Without the lock it would be a twentieth less, without the row an eighth, and a replica that lost its tenant could still write.',
  'stores/postgres-100':
    'a primary key of tenant, kind and id instead of the id alone, and two columns more; the checks hardly count. The statement for one tenant takes a twelfth less of the server than the general one.',
}
