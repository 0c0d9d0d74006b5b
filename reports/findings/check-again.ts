/** The command that runs one check of a run again, against a target like the one it had. */
import { quote } from '../bundle/curl.ts'
import { ownCommand } from '../bundle/own-command.ts'
import type { Finding, Run, RunRecord } from '../bundle/record.ts'

export function checkAgain(
  { check, scenario, evidence: [first] }: Pick<Finding, 'check' | 'scenario' | 'evidence'>,
  { record: { run, target }, journal }: Run,
): string {
  const seed = `--seed ${run.seed}`
  if (target.kind === 'client')
    return `${ownCommand} client${asOf(target)} --only '${check}' ${seed} -- COMMAND`
  // A rule judges what another scenario sent.
  const sender = journal.find(({ id }) => id === first)?.scenario ?? scenario
  const only = `--only '${sender === scenario ? check : `${sender},${check}`}' ${seed}`
  const named = target.arguments ?? ['TARGET.yaml']
  const profile = run.profile === 'standard' ? [] : [`--profile ${run.profile}`]
  return [`${ownCommand} check`, ...named.map(word), ...profile, only].join(' ')
}

/** The command that replays a counterexample against the target that it was found on. */
export function replayAgain(file: string, { arguments: named, kind }: RunRecord['target']): string {
  // A counterexample has the identifiers of its target.
  const [first = '', ...rest] = (named ?? []).filter((one, at, all) => ![one, all[at - 1]].some(isVendor))
  const place =
    named === undefined
      ? ['--base-url URL']
      : kind === 'simulator'
        ? ['--base-url simulator', ...rest.map(word)]
        : first.startsWith('-')
          ? [first, ...rest].map(word)
          : ['--target', ...[first, ...rest].map(word)]
  return [`${ownCommand} replay`, word(file), ...place].join(' ')
}

const isVendor = (text?: string): boolean => text === '--vendor' || text === '--identifier'
const word = (text: string): string => quote(Buffer.from(text))

export function commandOf({ target: { kind } }: Pick<RunRecord, 'target'>): string {
  return kind === 'client' || kind === 'receiver' ? kind : 'check'
}

function asOf({ client }: RunRecord['target']): string {
  return client === undefined || client.as === 'client' ? '' : ` --as ${client.as}`
}
