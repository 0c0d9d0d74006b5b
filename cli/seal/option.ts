/** The `--sign-key` option. */
export const signKeyOption = [
  '--sign-key <ref>',
  'sign the reports with the Ed25519 key in env:NAME or file:PATH; see `touchstone keygen`',
] as const
