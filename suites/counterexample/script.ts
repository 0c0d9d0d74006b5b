/** A counterexample as a script of bash, curl and jq that sends its requests to any base URL. */
import { limits } from '../../spec/index.ts'
import { identifiersIn } from '../wire/exchange.ts'
import { quote } from '../../reports/bundle/curl.ts'
import {
  flatSteps,
  referencesIn,
  type AtOnce,
  type Counterexample,
  type Reference,
  type StepExpectation,
  type ReplayStep,
} from './file.ts'
import { checking, sending } from './script-parts.ts'
import {
  agentVariable,
  bodyCommand,
  freshVariable,
  headerWord,
  keyVariable,
  sessionVariable,
  wordOf,
} from './shell.ts'

/** Values of variables that the caller need not set, each as a word of the shell. */
export type ScriptDefaults = Readonly<
  Partial<Record<'BASE_URL' | 'AGENT_ID' | 'API_KEY', string>> & {
    /** The command that starts the service at that address, if nothing runs there. */
    start?: string
  }
>

/** The whole file. Credentials are variables. */
export function scriptOf(file: Counterexample, defaults: ScriptDefaults = {}): string {
  const parts = [
    head(file, defaults),
    'set -euo pipefail',
    sending,
    needed(file, { ...defaults }),
    requestFunction(file),
    ...(file.expect.length > 0 ? [replayHeaderVariable(file), checking, checkFunction(file)] : []),
    ending(file),
  ]
  return `${parts.join('\n\n')}\n`
}

/** A text within a comment can neither end it nor begin a command. */
function comment(text: string): string {
  return `# ${text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()}`
}

function head(file: Counterexample, { start, ...defaults }: ScriptDefaults): string {
  const given: Readonly<Record<string, string | undefined>> = defaults
  const { clause, title, check, expected, got, tool, found } = file
  const lines = [
    `${clause.id} (${clause.level}): ${clause.text}`,
    `Contract: ${clause.source}`,
    `Scenario:    ${title}`,
    `Check:    ${check}`,
    `Expected: ${expected}`,
    `Got:      ${got}`,
    `Found by ${tool.name} ${tool.version}, run ${found.run} of ${found.at}, seed ${found.seed}${often(file)}.`,
    ...byHand(file),
  ]
  return [
    '#!/usr/bin/env bash',
    ...lines.map(comment),
    '#',
    ...(start === undefined ? [] : [comment(`Start the simulator first; it prints its API key: ${start}`)]),
    comment(
      `${variables(file)
        .map(([name]) => `${name}=${assigned(given[name])}`)
        .join(' ')} bash repro.sh`,
    ),
    '# Exit code: 0 not reproduced, 1 failure reproduced, 2 a variable or program is missing, 3 inconclusive.',
  ].join('\n')
}

/** A default as the word after `NAME=`; an ellipsis if there is none. */
function assigned(value = '…'): string {
  if (value === '…') return value
  return value.startsWith('$') ? `"${value}"` : quote(Buffer.from(value))
}

function often({ found: { reproduced } }: Counterexample): string {
  return reproduced ? `; reproduced ${reproduced.times} of ${reproduced.of}` : ''
}

/** What the operator has to do, because no request can. */
function wordsByHand({ needs: { states, receiver } }: Counterexample): readonly string[] {
  return [
    ...states.map(({ state, by }) => `${state} (in the run by ${by})`),
    ...(receiver ? ['a receiver of deliveries, at the addresses in the bodies'] : []),
  ]
}

function byHand(file: Counterexample): readonly string[] {
  const { replay, because = '' } = file
  return [
    ...wordsByHand(file).map((words) => `By hand, before the requests that need it: ${words}.`),
    ...(replay === 'scenario'
      ? [`This script sends the requests only; \`touchstone replay\` runs the whole scenario: ${because}.`]
      : []),
  ]
}

function references(file: Counterexample): readonly Reference[] {
  return flatSteps(file).flatMap(referencesIn)
}

function variables(file: Counterexample): readonly (readonly [name: string, words: string])[] {
  const found = references(file).flatMap((reference): (readonly [string, string])[] => {
    if ('key' in reference)
      return [
        [keyVariable(reference.key), `an API key: ${file.needs.principals[reference.key] ?? reference.key}`],
      ]
    if ('agent' in reference)
      return [[agentVariable(reference.agent), `the id of an agent: ${reference.agent}`]]
    if ('session' in reference)
      return [[sessionVariable(reference.session), `the header ${reference.session} of a signed-in user`]]
    return []
  })
  const byHand = wordsByHand(file)
  return [
    ['BASE_URL', 'the address of the service, such as https://staging.example'],
    ...new Map(found),
    ...(byHand.length > 0 ? [['BY_HAND', `yes, once this is done: ${byHand.join('; ')}`] as const] : []),
  ]
}

function needed(file: Counterexample, given: Readonly<Record<string, string | undefined>>): string {
  return variables(file)
    .flatMap(([name, words]) => {
      const need = `need ${name} ${quote(Buffer.from(words))}`
      const value = given[name]
      if (value === undefined) return [need]
      const word = value.startsWith('$') ? value : quote(Buffer.from(value))
      return [`: "\${${name}:=${word}}"`, need]
    })
    .join('\n')
}

function requestFunction(file: Counterexample): string {
  const fresh = new Map<string, string>()
  for (const reference of references(file)) {
    const name = freshVariable(reference)
    if (name === null) continue
    const make =
      'fresh' in reference
        ? `$(digits ${reference.digits})`
        : 'uuid' in reference
          ? '$(new_uuid)'
          : 'sk-$(new_uuid)'
    fresh.set(name, `  ${name}=${make}`)
  }
  const lines = [
    ...fresh.values(),
    ...file.steps.flatMap((step) => stepLines(step).map((line) => `  ${line}`)),
  ]
  return `send_all() {\n${lines.join('\n')}\n}`
}

function stepLines(step: ReplayStep | AtOnce): readonly string[] {
  const steps = 'atOnce' in step ? step.atOnce : [step]
  const wait = steps.flatMap(({ waitMs }) => (waitMs === undefined ? [] : [`sleep ${waitMs / 1000}`]))
  const bodies = steps.flatMap(({ id, body }) => {
    const command = bodyCommand(body)
    return command === null ? [] : [`${command} >"$dir/${id}.sent"`]
  })
  const sends = 'atOnce' in step ? [...steps.map(inBackground), 'wait'] : steps.map(sendLine)
  return [...wait, ...bodies, ...sends, ...steps.map(({ id }) => `show ${id}`)]
}

function inBackground(step: ReplayStep): string {
  const line = sendLine(step)
  return step.afterMs === undefined ? `${line} &` : `{ sleep ${step.afterMs / 1000}; ${line}; } &`
}

function sendLine({ id, method, path, headers, body, leaves }: ReplayStep): string {
  const typed = headers.some(([name]) => name.toLowerCase() === 'content-type')
  const away = leaves === undefined ? [] : [`--max-time ${'afterMs' in leaves ? leaves.afterMs / 1000 : 0.3}`]
  const words = [
    `send ${id} ${method} ${wordOf(path)}`,
    ...headers.map(([name, value]) => `-H ${headerWord(name, value)}`),
    ...(body === undefined
      ? []
      : [...(typed ? [] : ["-H 'Content-Type:'"]), `--data-binary "@$dir/${id}.sent"`]),
    ...away,
  ]
  return words.join(' ')
}

function checkFunction(file: Counterexample): string {
  const shown = new Set(file.expect.map(({ step }) => step))
  const guards = flatSteps(file).flatMap(({ id, was }) => {
    if (shown.has(id)) return [`answered ${id} ${was ?? '000'}`]
    return was !== null && was >= 200 && was < 300 ? [`went_well ${id}`] : []
  })
  const lines = [...guards, ...file.expect.map(checkLine)]
  return `check_all() {\n${lines.map((line) => `  ${line}`).join('\n')}\n}`
}

function replayHeaderVariable(file: Counterexample): string {
  return `replay_header=${shellWord(identifiersIn(file).replayHeader.toLowerCase())}`
}

/** A name of a header. */
function shellWord(name: string): string {
  return /^[\w-]+$/.test(name) ? name : quote(Buffer.from(name))
}

/** jq filters. */
const typeFilters = {
  string: 'type == "string"',
  'filled string': 'type == "string" and . != ""',
  number: 'type == "number"',
  object: 'type == "object"',
  absent: '. == null',
} as const

function checkLine(expected: StepExpectation): string {
  const { step } = expected
  const word = (text: string): string => quote(Buffer.from(text))
  if ('status' in expected) return `check_status ${step} ${expected.status.join(' ')}`
  if ('header' in expected)
    return `check_header ${step} ${shellWord(expected.header)} ${expected.is === null ? 'none' : `${expected.part ? 'has' : 'is'} ${word(expected.is)}`}`
  if ('type' in expected)
    return `check_field ${step} ${expected.field} ${word(typeFilters[expected.type])} ${word(expected.type)}`
  if ('sameAs' in expected) return `check_same ${step} ${expected.field} ${expected.sameAs} same`
  if ('unlike' in expected) return `check_same ${step} ${expected.field} ${expected.unlike} unlike`
  if ('code' in expected) return `check_code ${step} ${expected.code}`
  if ('event' in expected) return `check_events ${step} ${expected.event} ${expected.times}`
  return 'turn' in expected
    ? `check_no_turn ${step}`
    : `check_one_run ${[step, ...expected.oneRunWith].join(' ')}`
}

function ending(file: Counterexample): string {
  const { expected, got, expect, steps } = file
  const finding = [
    `echo ${quote(Buffer.from(`expected: ${expected}`))}`,
    `echo ${quote(Buffer.from(`got then: ${got}`))}`,
  ]
  if (expect.length === 0)
    return [
      'send_all',
      ...finding,
      "echo 'Compare the responses above: no single status, header or member shows the failure.'",
      'exit 3',
    ].join('\n')
  // Together no more than the rate that the contract allows in a minute.
  const most = Math.max(1, Math.floor((limits.chatRequestsPerMinute - 1) / flatSteps(file).length))
  const tries = steps.some((step) => 'atOnce' in step) ? Math.min(10, most) : 1
  return [
    `for ((try = 1; try <= \${TRIES:-${tries}}; try++)); do`,
    '  failed=0',
    "  inconclusive=''",
    '  send_all',
    '  check_all',
    '  if [ "$failed" = 1 ] || [ -n "$inconclusive" ]; then break; fi',
    'done',
    ...finding,
    'if [ -n "$inconclusive" ]; then echo "INCONCLUSIVE: $inconclusive"; exit 3; fi',
    'if [ "$failed" = 1 ]; then echo FAILS; exit 1; fi',
    "echo 'NOT REPRODUCED'",
  ].join('\n')
}
