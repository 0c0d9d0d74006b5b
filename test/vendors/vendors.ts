/** Vendors' words that are tried throughout: one, one with a hyphen, one with a digit. */
export const vendors = ['acme', 'acme-corp', 'a2z'] as const
