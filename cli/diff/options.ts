/** Options of `touchstone diff`. */
export const formats = ['text', 'markdown', 'html', 'json'] as const

export interface DiffOptions {
  format: (typeof formats)[number]
  out?: string
}
