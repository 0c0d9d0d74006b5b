/** What the process says when it ends. A run brings its own number of these. */
export const exitCodes = {
  /** The gate passed, or the command did what it was asked. */
  ok: 0,
  nonconformant: 1,
  /** The command line or a file that it names is wrong. */
  usage: 2,
  /** Less was exercised than the policy allows. */
  lessExercised: 3,
  unreachable: 4,
  /** A policy entry is stale or expired. */
  stalePolicy: 5,
  /** Our own error. */
  ourFault: 70,
} as const

export const exitCodeHelp = `
Exit codes:
  0  the gate passed
  1  nonconformant: a must is broken that the policy does not waive
  2  wrong usage or configuration
  3  less was exercised than the policy allows
  4  the target cannot be reached
  5  a policy entry is stale or expired
  70 an error of Touchstone itself`
