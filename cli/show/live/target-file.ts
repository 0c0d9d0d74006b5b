/** The target file of a session: shown without its secrets, saved only when it is valid, and examined. */
import type { Examination, TargetFileText } from '../../../spec/types/show.ts'
import { createRedactor } from '../../../reports/bundle/redaction/redaction.ts'
import { visibleLine } from '../../../reports/visible.ts'
import { ConfigurationError } from '../../../suites/config/configuration-error.ts'
import { parseTarget } from '../../../suites/config/file/file.ts'
import { secretsOf } from '../../../suites/config/secret-values.ts'
import type { Target } from '../../../suites/config/target.ts'
import type { TargetOptions } from '../../check/options.ts'
import { vendorOf } from '../../check/target.ts'
import { examined } from '../../doctor/doctor.ts'
import type { Io } from '../../io.ts'
import { namedFile, readText, replaceText } from './named-file.ts'

export interface TargetFileEditor {
  read(): TargetFileText
  /** Throws a ConfigurationError for a text that is no valid target file, and a RefusedRequest. */
  save(text: string, digest: string): TargetFileText
  /** Throws a ConfigurationError, and TargetUnreachable. */
  examine(text: string): Promise<Examination>
}

const secretInText =
  'It has a secret written out, which is not shown. Give it as env:NAME or file:path in an editor; then it can be edited here.'
const invalid = 'The file on disk is not a valid target file, so it is not shown: correct it in an editor.'

export function targetFileEditor(path: string, options: TargetOptions, env: Io['env']): TargetFileEditor {
  const file = namedFile(path)
  const parsed = (text: string): Target => ({ ...parseTarget(text, path, env), ...vendorOf(options) })
  const withheld = (text: string): Pick<TargetFileText, 'text' | 'withheld'> => {
    try {
      const hasSecret = createRedactor(secretsOf(parsed(text))).text(text) !== text
      return hasSecret ? { text: null, withheld: secretInText } : { text, withheld: null }
    } catch (error) {
      if (error instanceof ConfigurationError) return { text: null, withheld: `${invalid}\n${error.message}` }
      throw error
    }
  }
  const shown = ({ text, digest }: ReturnType<typeof readText>): TargetFileText => ({
    path,
    digest,
    ...withheld(text),
  })
  return {
    read: () => shown(readText(file)),
    save(text, digest) {
      parsed(text)
      return shown(replaceText(file, text, digest))
    },
    async examine(text) {
      const target = parsed(text)
      const redact = createRedactor(secretsOf(target))
      const results = await examined(target)
      return {
        results: results.map(({ is, about, words, undeclared = false }) => ({
          is,
          about,
          words: visibleLine(redact.text(words)),
          undeclared,
        })),
      }
    },
  }
}
