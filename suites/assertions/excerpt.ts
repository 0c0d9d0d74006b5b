/** The beginning of a text, for a person to read. What is cut ends with `…`: redaction knows halves of secrets by it. */
export function excerpt(text: string, most = 120): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}
