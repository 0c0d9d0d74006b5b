/** Something in the target file, the environment or the options is wrong; the message is one line and says what to do. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError'
}
