/** The option of every command that writes what can be signed. */
export const signKeyOption = [
  '--sign-key <ref>',
  'sign what is written, with the Ed25519 key in env:NAME or file:PATH; see `touchstone keygen`',
] as const
