/** Whether a text in JSON can be read in one way only. */

/**
 * Of a member that is there twice one reader takes the first and another the last. Where a text is not the value that
 * we read in it, put as a run puts it, it may say something else to somebody else; space between the parts is free.
 */
export function isPlainlySpelled(text: string, value: unknown): boolean {
  return text.replaceAll(texts, '$1') === JSON.stringify(value)
}

/** A text, which is kept, or space between two parts. */
const texts = /("(?:[^"\\]|\\.)*")|[ \t\r\n]+/g
