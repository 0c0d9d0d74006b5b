/** The `--since` option, without the code that reads runs. */
export const sinceOption = [
  '--since <folder>',
  'report changes since this earlier run; see `touchstone diff`',
] as const
