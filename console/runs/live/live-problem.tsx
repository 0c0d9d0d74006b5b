/** The connection to the command is broken: what is shown may be old. */
import { liveProblem } from './follow.ts'

export function LiveProblem() {
  if (liveProblem.value === null) return null
  return (
    <p class="problem" role="alert">
      Not connected ({liveProblem.value}): the command has ended, or cannot be reached. It is tried again
      every second.
    </p>
  )
}

/** Why the server refused something, line by line; nothing for null. */
export function Problem({ text }: { text: string | null }) {
  if (text === null) return null
  return (
    <p class="problem lines" role="alert">
      {text}
    </p>
  )
}
