/** The contract's numbers, section Limits. Units are in the names. */
export const limits = {
  /** Requests per minute and API key on the chat route. */
  chatRequestsPerMinute: 60,
  messageMinCharacters: 1,
  messageMaxCharacters: 10_000,
  idempotencyKeyMinCharacters: 1,
  idempotencyKeyMaxCharacters: 255,
  /** In total; the first is immediate. */
  webhookAttempts: 3,
  /** "About" ten seconds: a suite judges only well outside of it. */
  webhookResponseWaitSeconds: 10,
  signatureHexCharacters: 64,
  presentationVersion: 1,
} as const
