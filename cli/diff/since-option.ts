/** The `--since` option, apart from what it does: a command is defined without loading what reads runs. */
export const sinceOption = [
  '--since <folder>',
  'say what changed since this earlier run; decides nothing, see `touchstone diff`',
] as const
