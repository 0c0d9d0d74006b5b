/** Lints the documents of the folder that is given; prints what is found, and exits with 1 if any of it is an error. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Parser } from '@asyncapi/parser'
import spectral from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'

const [, , folder] = process.argv
const severities = ['error', 'warning', 'information', 'hint']
const textOf = (name) => readFileSync(join(folder, `${name}.json`), 'utf8')

async function linted(name, ruleset) {
  const linter = new spectral.Spectral()
  linter.setRuleset({ extends: [ruleset] })
  return linter.run(JSON.parse(textOf(name)))
}

const { diagnostics } = await new Parser().parse(textOf('asyncapi'))
const results = {
  'asyncapi, parser': diagnostics,
  'asyncapi, spectral': await linted('asyncapi', rulesets.asyncapi),
  'openapi, spectral': await linted('openapi', rulesets.oas),
}
for (const [where, findings] of Object.entries(results))
  for (const { severity, code, path, message } of findings)
    console.log(`${severities[severity]}: ${where}: ${code} at /${(path ?? []).join('/')}: ${message}`)

const found = Object.values(results).flat()
const errors = found.filter(({ severity }) => severity === 0).length
console.log(`${errors} errors, ${found.length - errors} others`)
process.exitCode = errors > 0 ? 1 : 0
