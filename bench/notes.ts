/**
 * What the time or the memory of a row is spent on, from profiles (`node --cpu-prof`, heap snapshots). Repeat the profile
 * when a row changes.
 */
export const notes: Readonly<Record<string, string>> = {
  'startup/command':
    'loading some 80 modules, 28 of them bundles of ours, and creating a tenant; no function stands out. 160 modules less, with ajv and yaml, since the reader of reply files has a bundle of its own; and no `import` of `node:http`, which reads every name of it and so loads WebSocket and fetch too. Both together took half of the processor time. In a clone 370 sources are found and read one by one, in about twice the processor time of the package.',
  'startup/prism-mock': 'the same start.',
  'turns/bare-node-http':
    'in a profile, about half is node:http and the socket, which the bare server needs as well; a third is the turn (body, key, account, conversation, reply, headers), where no function takes more than two hundredths; the rest is garbage collection. A turn allocates 22 KB, a bare one 8 KB. By processor time, paired on a busy machine, the ratio went from 0.38 to 0.46. What was tried: fewer objects on the way (30 to 22 KB), with one promise for all turns that begin in the same turn of the event loop (together most of it); header lines shared by requests that have the same, and texts in one piece (3.3 to 2.4 KB remembered for each turn). Remembering no journal, keys and conversations at all would give less than a tenth, so they are not packed into bytes. A young generation of 64 MB instead of the 32 MB that Node 24 has gives nothing.',
  'turns/prism-mock': 'the same turn.',
  'streams/in-one-go':
    'each token becomes an event in the log of the turn, is serialized as JSON, framed and recorded in the journal with its time, while the bare server writes given strings. A stream allocates 40 KB, a bare one 18 KB; it was 71 KB while each token was a step with a promise. Writing an event in the plain style directly halved its framing (0.7 to 0.3 µs). By processor time, paired on a busy machine, the ratio went from 0.39 to 0.44.',
  'openStreams/memory':
    'a stream has 12 KB of objects, a bare one 6.5 KB: besides those of node:http, headers, the request as it was read, its turn and its journal entry. V8 adds about 40 MB for young objects: `NODE_OPTIONS=--max-semi-space-size=16` takes some 20 MB less. Shared header lines, and objects in place of closures, took 30 MB away (271 to 240 MB, against 168 MB, on another machine); on the machine of this row it was 258 MB then. The 2 KB that each stream has more since then were not looked into. A smaller young generation from the start of the command would reach the goal (205 MB), but Node cannot set its size while it runs, only stop its growth, and then it stays small for good after V8 has shrunk it, so that turns take a tenth more processor time or worse.',
  'keys/each':
    'two map entries, the texts (key, fingerprint, reply, conversation: 350 bytes), and seven objects: the record of the key, its state, its reply, the conversation, and a place for each of both. It was 1,310 bytes; texts in one piece, ids made in one piece and an empty list for all keys without events made it about 1,025. Packing the record would go further, but it is known by its identity to turns in flight and to faults.',
  'profile/wall':
    'scenarios run one after the other, as they share the clock of the simulator. Of 13.8 s on a busy machine, 6.4 were spent in twelve of 268 scenarios, which wait for what takes time in the contract: retries of deliveries (1.8 s), turns whose client goes away or asks twice (3.3 s), and attempts that are answered just in time or too late (1.3 s).',
  'killMatrix/wall':
    'each fault has to be found by exactly its checks. With 944 faults it is 314 s of processor time on two cores, 475 s when a scenario ran 4,989 times with a single fault; it runs 1,869 times now. Starting a run takes 11 ms of it, so sharing starts would give little. With 754 faults it was 94 s on 2026-11-22.',
  'profile/busy':
    'the run is the first of its process, so most functions run before they are optimized. Of the distinguishable parts a fifth is the simulator, a tenth judging, and a tenth generating and shrinking command sequences; no other exceeds a few hundredths. It is 3.4 s on the machine of this row, and was 5.4 s on a slower one the day before.',
  'profile/requests':
    'half of them are of 45 of 267 scenarios, of which none sends more than 66; the others send 5 on average, mostly what their state needs. It was 2,300: points of long sequences that showed nothing of their own, races of two and of ten, and a second operation with the same defects left the profile. The simulator provides every state; a service with what the guide to live runs declares gets less than 1,500 (docs/guide-live.md).',
  'signedDeliveries/undici':
    'an address is checked for each attempt before it is connected to, the body is framed and signed, and the attempt is recorded with its times and what was answered. The ratio rests on the machine: what had 0.76 on 2026-11-22 has 0.58 on the machine of this row, where sockets are faster, and the version of today 0.55.',
  'deadEndpoints/ten':
    'garbage collection, which has 10,000 deliveries more to look at, and events of turns that no webhook selected: they are made, and every webhook is asked.',
  'deadEndpoints/every-turn':
    'half is garbage collection, because every turn leaves a delivery. The rest is its payload, its id and a place in the queue; nothing is signed, serialized or timed before an attempt. A delivery took 760 bytes and takes 472, since its key is made where it is stored, its id is one flat string, and the list of attempts is shared until there is one: a quarter to a third less processor time.',
  'properties/fast-check':
    'both mostly wait for the same responses. Ours also records every byte with its time, observes budgets and the pace of each key, sets timeouts, and judges each response by its clause. On 2026-11-22 it was 0.62 on the machine of this row. No single change took it: of 824, those that were tried between gave 0.59, 0.56 and 0.53. Since then, bytes, lines and values of each response are counted against limits, and each response is held against that of its key. In a profile no function of ours takes more than a fortieth of what is not waiting.',
  'report/shown':
    'mostly Chromium reading and laying out 29,000 elements, of which all but the first screen is folded; the first paint is much earlier.',
}
