/** The faults that a suite finds late, seldom or never if it does not look for them, and what makes each hard. */
import type { FaultId } from '../../simulator/index.ts'

/**
 * `race`, `abort`, `time`: it shows only while something else is under way, or after a while. `again`: only at a
 * second or third try. `boundary`, `unit`, `rounding`, `letters`, `casing`, `spelling`: only for some values, which
 * look like any other. `mode`, `step`, `update`: only on the way that is less trodden. `tenants`, `neighbour`, `cache`,
 * `replicas`: only beside somebody else. `chance`: now and then.
 */
type Why =
  | 'race'
  | 'abort'
  | 'time'
  | 'again'
  | 'boundary'
  | 'unit'
  | 'rounding'
  | 'letters'
  | 'casing'
  | 'spelling'
  | 'mode'
  | 'step'
  | 'update'
  | 'tenants'
  | 'neighbour'
  | 'cache'
  | 'replicas'
  | 'chance'

export const hardFaults = {
  'json-replayed-with-two-dones': 'mode',
  'replay-in-other-mode-charged': 'mode',
  'streamed-replay-unmarked': 'mode',
  'third-replay-unmarked': 'again',
  'replay-twice-only': 'again',
  'two-dones-once-replayed': 'again',
  'older-replay-charged': 'again',
  'conflict-forgets-replayed-key': 'again',
  'bad-request-forgets-newest-key': 'again',
  'superseded-button-current-after-replay': 'again',
  'replay-read-as-latin-1': 'letters',
  'check-then-act': 'race',
  'replays-mixed-up': 'race',
  'duplicate-ends-turn': 'race',
  'lost-update': 'race',
  'operation-check-then-act': 'race',
  'upload-stored-by-each-of-a-race': 'race',
  'charged-again-for-duplicates': 'race',
  'every-second-key-unguarded': 'race',
  'tenth-runs': 'race',
  'rival-takes-key': 'race',
  'lock-by-mode': 'race',
  'lock-by-carrier': 'race',
  'lease-too-short': 'time',
  'stream-lease-too-short': 'time',
  'key-forgotten-with-client': 'abort',
  'messages-compared-by-length': 'boundary',
  'messages-compared-loosely': 'casing',
  'keys-in-any-case': 'casing',
  'key-cut-to-64': 'boundary',
  'message-counted-in-bytes': 'unit',
  'message-counted-as-spelt': 'unit',
  'padding-counted': 'unit',
  'balance-rounded': 'rounding',
  'balance-drifts': 'rounding',
  'usage-in-whole-credits': 'rounding',
  'keys-shared-by-accounts': 'tenants',
  'task-shown-once-read': 'cache',
  'approval-shown-once-read': 'cache',
  'headers-of-the-newest': 'neighbour',
  'secret-of-the-first': 'neighbour',
  'replica-forgets': 'replicas',
  'signed-before-spelling': 'spelling',
  'signed-in-ascii': 'letters',
  'retry-spelt-again': 'again',
  'id-per-attempt': 'again',
  'third-attempt-of-another-id': 'again',
  'third-attempt-signed-as-before': 'again',
  'third-attempt-dated-in-milliseconds': 'again',
  'digest-without-leading-zeros': 'chance',
  'digest-words-without-leading-zeros': 'chance',
  'custom-headers-win-in-mixed-case': 'casing',
  'mapped-address-let-through': 'spelling',
  'blocked-at-creation-only': 'update',
  'removed-listed-again': 'again',
  'second-update-mints-secret': 'again',
  'update-from-the-creation': 'again',
  'task-moves-again': 'again',
  'task-restarted-by-its-key': 'again',
  'ended-task-forgotten': 'again',
  'done-again-a-second-later': 'time',
  'uncertain-done-again-later': 'again',
  'held-runs-when-sent-again': 'again',
  'finalize-without-scope': 'step',
  'late-tokens-swapped': 'boundary',
  'token-cut-in-bytes': 'letters',
} as const satisfies { readonly [F in FaultId]?: Why }

export type HardFault = keyof typeof hardFaults
export const hardIds = Object.keys(hardFaults) as readonly HardFault[]
