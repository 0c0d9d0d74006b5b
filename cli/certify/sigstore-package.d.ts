/** The part of `sigstore`, which need not be installed, that signs. */
declare module 'sigstore' {
  export function attest(
    payload: Buffer,
    payloadType: string,
    options: { fulcioURL: string | undefined; rekorURL: string | undefined },
  ): Promise<object>
}
