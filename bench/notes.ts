/**
 * What the time, or the memory, of a row goes into, as profiles showed it (`node --cpu-prof`, heap snapshots). Taken
 * anew when a row changes: a profile that nobody repeats is an opinion.
 */
export const notes: Readonly<Record<string, string>> = {
  'startup/command':
    'into loading some 390 modules: each is found, read, compiled and linked, and no single one stands out. The command has Node keep the compiled code between starts, which saves a tenth of the processor time.',
  'turns/bare-node-http':
    'about half is node:http and the socket, which the bare server pays as well. Of the other half most is the turn: the body, the key, the account, the conversation, the reply and the headers, spread so evenly that no function has more than two hundredths. The rest is collecting garbage, for what is remembered of a turn outlives it: the record of its key, its conversation, and its entry in the journal.',
  'turns/prism-mock':
    'the same turn. It took 62 µs of processor time before worlds were bounded and could be kept, and takes 72 now: a row with its place and age for each key and conversation, a watch over answers whose client does not read, and above all the garbage that more remembered objects make.',
  'streams/in-one-go':
    'each token is an event that is put into the log of the turn, spelled as JSON, framed and noted in the journal with its time, where the bare server writes strings that it was given. There is no goal for it: nobody reads twenty tokens in one go, and where each is flushed, the sockets take most of the time on either side.',
  'openStreams/memory':
    'two thirds of it are the heap, and half of that is room which V8 keeps for young objects and does not use: with `NODE_OPTIONS=--max-semi-space-size=16` the same streams take about 50 MB less. A stream has some 12 KB of objects, most of them the headers of both directions, as the socket, the journal and the turn each have them, and those of node:http itself.',
  'profile/busy':
    'the run is the first of its process, so that most functions are run before they are compiled well. Of what can be told apart, a fifth is the simulator answering, a tenth judging, and a tenth drawing courses and making them small; nothing else has more than a few hundredths.',
  'properties/fast-check':
    'both wait for the same answers most of the time. Ours besides records every byte with its time, keeps to budgets and to the pace of each key, has a timer for patience, and judges each answer by its clause.',
  'report/shown':
    'most of it is Chromium reading and laying out 29,000 elements, of which all but the first screen is folded away; the first paint comes long before.',
}
