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

/** Expected errors by name: importing their classes would load their modules. */
const expected: Readonly<Record<string, number>> = {
  UsageError: exitCodes.usage,
  BundleError: exitCodes.usage,
  ConfigurationError: exitCodes.usage,
  TargetUnreachable: exitCodes.unreachable,
}

export function failedCommand(error: unknown): { exitCode: number; text: string } {
  const exitCode = error instanceof Error ? expected[error.name] : undefined
  if (error instanceof Error && exitCode !== undefined) return { exitCode, text: `error: ${error.message}` }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { exitCode: exitCodes.ourFault, text: `internal error of Touchstone, please report it: ${text}` }
}
