/** Placeholder for an idempotency key, of the same length as the keys that replace it. */
export const keyMark = 'bench-000000000000'
