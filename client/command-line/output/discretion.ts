/** What is printed, without keys in words for people, and without what a terminal would act on. */
import type { CommandLineIo } from '../io.ts'
import { speechOf, type Speech, type VendorFlags } from '../settings/vendor.ts'

export interface DiscreetIo extends CommandLineIo {
  /** From now on these words are not printed to stderr. */
  conceal(secret: string): void
  /** The vendor's word, once a command has said which one it is. */
  readonly speech: Speech
  /** Throws a UsageError for a word that cannot be one. */
  speak(flags: VendorFlags): void
}

/** All but line ends and tabs: an agent, or a service, is not to move the cursor or set the title of a window. */
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Whatever looks like a key, such as one that was typed where none belongs. */
const keyLike = /\b(sk-|ak_)[\w.-]{4,}/g

export function createDiscreetIo(io: CommandLineIo): DiscreetIo {
  const secrets: string[] = []
  let speech: Speech | undefined
  const withoutKeys = (text: string): string =>
    secrets.reduce((shown, secret) => shown.replaceAll(secret, '[key]'), text).replace(keyLike, '[key]')
  return {
    ...io,
    conceal: (secret) => void secrets.push(secret),
    speak: (flags) => void (speech = speechOf(flags, io.env)),
    get speech() {
      return (speech ??= speechOf({}, io.env))
    },
    out: (text) => io.out(io.terminal ? text.replace(control, '') : text),
    err: (text) => io.err(withoutKeys(text.replace(control, ''))),
  }
}
