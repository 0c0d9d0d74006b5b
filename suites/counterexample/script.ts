/** A counterexample as a script of bash, curl and jq that tells it against any base address. */
import { limits } from '../../spec/index.ts'
import { identifiersIn } from '../wire/exchange.ts'
import { quote } from '../../reports/bundle/curl.ts'
import {
  flatSteps,
  referencesIn,
  type AtOnce,
  type Counterexample,
  type Reference,
  type Sign,
  type Step,
} from './file.ts'
import { looking, sending } from './script-parts.ts'
import {
  agentVariable,
  bodyCommand,
  freshVariable,
  headerWord,
  keyVariable,
  sessionVariable,
  wordOf,
} from './shell.ts'

/** The whole file. Holds no credential: they are variables. */
export function scriptOf(file: Counterexample): string {
  const parts = [
    head(file),
    'set -euo pipefail',
    sending,
    needed(file),
    telling(file),
    ...(file.signs.length > 0 ? [replayName(file), looking, judging(file)] : []),
    ending(file),
  ]
  return `${parts.join('\n\n')}\n`
}

/** A text within a comment can neither end it nor begin a command. */
function comment(text: string): string {
  return `# ${text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()}`
}

function head(file: Counterexample): string {
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
    `# ${variables(file)
      .map(([name]) => `${name}=…`)
      .join(' ')} bash repro.sh`,
    '# Ends with 1 where the failure shows, 0 where it does not, 2 where something is missing, 3 where it cannot tell.',
  ].join('\n')
}

function often({ found: { reproduced } }: Counterexample): string {
  return reproduced ? `; reproduced ${reproduced.times} of ${reproduced.of}` : ''
}

/** What no request of ours can do. */
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
      ? [`This tells what requests can; \`touchstone replay\` tells all of it: ${because}.`]
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
    ...(byHand.length > 0
      ? [['BY_HAND', `yes, once this was brought about: ${byHand.join('; ')}`] as const]
      : []),
  ]
}

function needed(file: Counterexample): string {
  return variables(file)
    .map(([name, words]) => `need ${name} ${quote(Buffer.from(words))}`)
    .join('\n')
}

function telling(file: Counterexample): string {
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
  return `tell() {\n${lines.join('\n')}\n}`
}

function stepLines(step: Step | AtOnce): readonly string[] {
  const steps = 'atOnce' in step ? step.atOnce : [step]
  const wait = steps.flatMap(({ waitMs }) => (waitMs === undefined ? [] : [`sleep ${waitMs / 1000}`]))
  const bodies = steps.flatMap(({ id, body }) => {
    const command = bodyCommand(body)
    return command === null ? [] : [`${command} >"$dir/${id}.sent"`]
  })
  const sends = 'atOnce' in step ? [...steps.map(inBackground), 'wait'] : steps.map(sendLine)
  return [...wait, ...bodies, ...sends, ...steps.map(({ id }) => `show ${id}`)]
}

function inBackground(step: Step): string {
  const line = sendLine(step)
  return step.afterMs === undefined ? `${line} &` : `{ sleep ${step.afterMs / 1000}; ${line}; } &`
}

function sendLine({ id, method, path, headers, body, leaves }: Step): string {
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

function judging(file: Counterexample): string {
  const shown = new Set(file.signs.map(({ step }) => step))
  const guards = flatSteps(file).flatMap(({ id, was }) => {
    if (shown.has(id)) return [`answered ${id} ${was ?? '000'}`]
    return was !== null && was >= 200 && was < 300 ? [`went_well ${id}`] : []
  })
  const lines = [...guards, ...file.signs.map(lookLine)]
  return `judge() {\n${lines.map((line) => `  ${line}`).join('\n')}\n}`
}

function replayName(file: Counterexample): string {
  return `replay_header=${shellWord(identifiersIn(file).replayHeader.toLowerCase())}`
}

/** A name of a header. */
function shellWord(name: string): string {
  return /^[\w-]+$/.test(name) ? name : quote(Buffer.from(name))
}

/** As jq, for a value. */
const kinds = {
  string: 'type == "string"',
  'filled string': 'type == "string" and . != ""',
  number: 'type == "number"',
  object: 'type == "object"',
  absent: '. == null',
} as const

function lookLine(sign: Sign): string {
  const { step } = sign
  const word = (text: string): string => quote(Buffer.from(text))
  if ('status' in sign) return `look_status ${step} ${sign.status.join(' ')}`
  if ('header' in sign)
    return `look_header ${step} ${shellWord(sign.header)} ${sign.is === null ? 'none' : `${sign.part ? 'has' : 'is'} ${word(sign.is)}`}`
  if ('kind' in sign) return `look_field ${step} ${sign.field} ${word(kinds[sign.kind])} ${word(sign.kind)}`
  if ('equals' in sign)
    return `look_field ${step} ${sign.field} ${word(`. == ${sign.equals}`)} ${String(sign.equals)}`
  if ('sameAs' in sign) return `look_same ${step} ${sign.field} ${sign.sameAs} same`
  if ('unlike' in sign) return `look_same ${step} ${sign.field} ${sign.unlike} unlike`
  if ('says' in sign) return `look_says ${step} ${sign.says}`
  if ('event' in sign) return `look_events ${step} ${sign.event} ${sign.times}`
  return 'turn' in sign ? `look_no_turn ${step}` : `look_one_run ${[step, ...sign.oneRunWith].join(' ')}`
}

function ending(file: Counterexample): string {
  const { expected, got, signs, steps } = file
  const told = [
    `echo ${quote(Buffer.from(`expected: ${expected}`))}`,
    `echo ${quote(Buffer.from(`got then: ${got}`))}`,
  ]
  if (signs.length === 0)
    return [
      'tell',
      ...told,
      "echo 'Look at the answers above: no single status, header or member shows it.'",
      'exit 3',
    ].join('\n')
  // Together no more than the rate that the contract allows in a minute.
  const most = Math.max(1, Math.floor((limits.chatRequestsPerMinute - 1) / flatSteps(file).length))
  const tries = steps.some((step) => 'atOnce' in step) ? Math.min(10, most) : 1
  return [
    `for ((try = 1; try <= \${TRIES:-${tries}}; try++)); do`,
    '  seen=0',
    "  unsure=''",
    '  tell',
    '  judge',
    '  if [ "$seen" = 1 ] || [ -n "$unsure" ]; then break; fi',
    'done',
    ...told,
    'if [ -n "$unsure" ]; then echo "CANNOT TELL: $unsure"; exit 3; fi',
    'if [ "$seen" = 1 ]; then echo FAILS; exit 1; fi',
    "echo 'It does not show.'",
  ].join('\n')
}
