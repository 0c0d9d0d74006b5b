/** Why a check was not exercised, and what its owner can do about it. */
import type { NotExercisedReason } from '../bundle/record.ts'

export interface Reason {
  says: string
  provide: string
}

export const reasons = {
  'state-not-provided': {
    says: 'The target does not say how a state comes about.',
    provide: 'Declare the state under `states` in the target file: fixture, control, http, exec or manual.',
  },
  'state-not-established': {
    says: 'A state was declared, and could not be entered.',
    provide: 'Check what the target file names for the state: the fixture, the control or the hook.',
  },
  'state-mismatch': {
    says: 'The target file declares a state, and the responses show that the target is not in it.',
    provide: 'Correct what the target file declares for the state, at the place named below, or the target.',
  },
  'principal-missing': {
    says: 'No API key of the target fits.',
    provide: 'Add a principal with the scopes or the kind that is named below.',
  },
  'receiver-unreachable': {
    says: 'There is no receiver of ours that the target could deliver to.',
    provide: 'Declare `receiver` in the target file, with an address that leads to this machine.',
  },
  'effects-unknown': {
    says: 'It is not observable how often the receiver processed a delivery.',
    provide: 'Give `--effects` an address of the receiver that answers it.',
  },
  'client-never-acted': {
    says: 'The client was asked, and sent no request.',
    provide:
      'Let it take address and key from the environment, as `touchstone client --help` says, and read TOUCHSTONE_TASK; with --driver, all of it from the line on standard input.',
  },
  'fixture-missing': {
    says: 'An object that the check needs does not exist on the target.',
    provide: 'Create it and name it in the target file.',
  },
  'feature-unsupported': {
    says: 'The target file declares that the target does not have it.',
    provide: 'Nothing, if that is so; otherwise change `features` in the target file.',
  },
  'opt-in-required': {
    says: 'The check is slow, costly or destructive, or it writes, and nobody allowed it.',
    provide:
      'Allow it with `--opt-in slow,costly,destructive,writes`, or with `--allow-exec` where it runs a program.',
  },
  'budget-exhausted': {
    says: 'A cap of the run was reached first.',
    provide: 'Raise --max-requests, --max-turns, --max-credits or --max-minutes.',
  },
  'prerequisite-failed': {
    says: 'Something that the check builds on did not hold.',
    provide: 'Provide what is named below, or look at the failures first.',
  },
  'target-unavailable': {
    says: 'The target stopped responding.',
    provide: 'Look at the target and at what is in front of it, and run again.',
  },
  attested: {
    says: 'Somebody says that it was looked at elsewhere; this run did not see it.',
    provide: 'Provide the state by something that a run can use, or expect this in the policy.',
  },
  interrupted: { says: 'The run ended early.', provide: 'Let it run to the end.' },
} as const satisfies Record<NotExercisedReason, Reason>

/** For a record that gives none, which only an older or a foreign one does. */
export const unnamedReason: Reason = {
  says: 'No reason was recorded.',
  provide: 'Run again with this version.',
}
