/** The line on stderr that says why a program ended. */

/** Characters of it that are quoted. */
const mostQuoted = 200

/** How runtimes begin the line of an uncaught error, before or after where it happened. */
const beginnings = [
  // Node.js and Python, such as `TypeError: …` and `Error [ERR_NAME]: …`.
  String.raw`[\w.$]*(?:Error|Exception)(?: \[\w+\])?:`,
  'Exception in thread ',
  'Unhandled exception',
  'panic: ',
  '(?:PHP )?fatal error: ',
  'error: ',
]
const errorLine = new RegExp(`^(?:${beginnings.join('|')})`, 'i')

/** The first line of an error, since what follows is where it happened; without one the last line. */
export function errorLineOf(stderr: string): string {
  const lines = stderr.trimEnd().split('\n')
  const line = lines.find((one) => errorLine.test(one)) ?? lines.at(-1) ?? ''
  return line.trim().slice(0, mostQuoted)
}
