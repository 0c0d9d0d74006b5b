/** The target file, the environment or an option is wrong. Each problem is a line that says what to do. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError'
  readonly problems: readonly string[]
  constructor(...problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}
