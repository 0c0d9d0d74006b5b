/** Options about logs of runs; the first is that of a run, the second of who verifies a log. */
export const logOption = [
  '--log <path>',
  'record start and end of the run in this log, or in one of the key in this folder; needs --sign-key',
] as const

export const headOption = [
  '--head <place>',
  'file or URL of a head of the log that was published earlier: shows whether the end was cut off',
] as const

export interface LogOptions {
  key?: readonly string[]
  json?: true
}

export interface VerifyLogOptions extends LogOptions {
  head?: string
}
