export interface LogOptions {
  key?: readonly string[]
  json?: true
}

export interface VerifyLogOptions extends LogOptions {
  head?: string
}
