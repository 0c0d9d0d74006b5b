const filtered =
  'What stands before a service may refuse what looks like an attack, so that a refusal is warned of.'

/**
 * Checks that no fault turns red, each with the reason why there can be none. A check that is killed after all, or
 * that there is no more, makes its reason an error: this table only ever gets shorter by itself.
 */
export const unkillable: Readonly<Record<string, string>> = {
  'receiver-genuine/plain/RECV-QUICK':
    'A receiver has ten seconds to answer; test/clients/receivers.test.ts shows a slow one on a clock twenty times as fast.',
  'client-stream-chunks/together/LIB-STREAM':
    'A client that takes a chunk for one event fails the ordinary act as well, whenever two events of it arrive together, and then nothing is concluded of this one.',
  'client-stream-chunks/together/LIB-STREAM-SPLIT-LINE':
    'A client that takes a chunk for one event fails the ordinary act as well, whenever two events of it arrive together, and then nothing is concluded of this one.',
  'client-stream-ends/no-final-blank/LIB-STREAM-CUT':
    'To take the reply is right and so is to refuse it; a client that makes one up is found where there is no `done` at all.',
  'pausing/endpoint/ATT-PAUSE-OWN':
    'A service may pause all of a host by its name, and both endpoints are at one receiver: what is held back is warned of.',
  'rules/lastly/IDEM-REPLAY-AGAIN':
    'How long a key is remembered is not shown, so that one that runs again after minutes is warned of.',
  'webhook-values/some/HOOK-CREATE': filtered,
  'webhook-values/each/HOOK-CREATE': filtered,
}
