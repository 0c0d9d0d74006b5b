/** The codes that a network fault can refuse with, in the schemas of the control routes. */
import { readFileSync } from 'node:fs'
import { refusals } from '../../simulator/chat/refusal.ts'

export const controlSchema = 'spec/schemas/control.json'

export function withRefusalCodes(): string {
  const codes = Object.keys(refusals).map((code) => `        "${code}"`)
  return readFileSync(controlSchema, 'utf8').replace(
    /("RefusalCode": \{[^[]*\[)[^\]]*(\])/,
    (_, head: string, tail: string) => `${head}\n${codes.join(',\n')}\n      ${tail}`,
  )
}
