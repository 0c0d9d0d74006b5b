/** Our own sentences: what stands in backticks is code. */
export function Prose({ text }: { text: string }) {
  const parts = text.split('`')
  return <>{parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>
}
