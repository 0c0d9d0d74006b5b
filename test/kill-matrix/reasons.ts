/**
 * Checks that no fault turns red, each with the reason why there can be none. A check that is killed after all, or
 * that there is no more, makes its reason an error: this table only ever gets shorter by itself.
 */
export const unkillable: Readonly<Record<string, string>> = {
  'receiver-genuine/plain/RECV-QUICK':
    'A receiver has ten seconds to answer; test/receivers.test.ts shows a slow one on a clock twenty times as fast.',
}
