/** The command that runs one check of a run again, against a target like the one it had. */
import type { RunRecord } from '../bundle/record.ts'

export function checkAgain(check: string, { run, target }: Pick<RunRecord, 'run' | 'target'>): string {
  const only = `--only '${check}' --seed ${run.seed}`
  if (target.kind === 'client') return `touchstone client${asOf(target)} ${only} -- COMMAND`
  const named = target.kind === 'simulator' ? ['simulator', ...(target.modifications ?? [])] : ['TARGET.yaml']
  const profile = run.profile === 'standard' ? [] : [`--profile ${run.profile}`]
  return ['touchstone check', ...named, ...profile, only].join(' ')
}

/** The command that makes such runs. */
export function commandOf({ target: { kind } }: Pick<RunRecord, 'target'>): string {
  return kind === 'client' || kind === 'receiver' ? kind : 'check'
}

function asOf({ client }: RunRecord['target']): string {
  return client === undefined || client.as === 'client' ? '' : ` --as ${client.as}`
}
