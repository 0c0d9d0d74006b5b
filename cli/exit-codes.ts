/** Exit codes of all commands. */
export const exitCodes = {
  /** The gate passed, or the command succeeded. */
  ok: 0,
  nonconformant: 1,
  /** The command line, or a file that it names, is wrong. */
  usage: 2,
  /** Required checks have no result. */
  lessExercised: 3,
  unreachable: 4,
  /** A policy entry is stale or expired. */
  stalePolicy: 5,
  /** A defect of Touchstone. */
  ourFault: 70,
} as const

export const exitCodeHelp = `
Exit codes:
  0  gate passed
  1  nonconformant: a MUST clause failed that the policy does not waive
  2  wrong usage or configuration
  3  required checks without a result
  4  target unreachable, or lost during the run
  5  stale or expired policy entry
  70 error of Touchstone`
