/** Reads the record of a run, and the policy by which its gate was decided. */
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { emptyPolicy, type Policy } from '../../suites/policy/policy.ts'
import type { RunRecord } from '../../reports/bundle/record.ts'
import { basisFile } from '../../reports/bundle/names.ts'
import { planFile } from '../../reports/bundle/names.ts'
import type { JudgeBasis } from '../rejudge/read-bundle.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'
import { readPlain } from '../../reports/bundle/folder/plain-file.ts'

/** `path`: the folder of a run, or its `run.json`; alone, that is a run without a policy. */
export function recordedRun(path: string): { record: RunRecord; policy: Policy } {
  const file = path.endsWith('.json') ? path : join(path, 'run.json')
  const wasCutOff = !existsSync(file) && existsSync(join(dirname(file), planFile))
  if (wasCutOff)
    throw new UsageError(
      `${dirname(file)}: the run was cut off before it wrote ${basename(file)}, so further failures are unknown: let a run finish.`,
    )
  const record = parsed(file) as RunRecord
  if (record?.schemaVersion !== 1 || !Array.isArray(record.findings) || !record.contract)
    throw new UsageError(
      `${file} is no record of a run: name the folder that a check wrote, or its run.json.`,
    )
  const basis = join(dirname(file), basisFile)
  return { record, policy: existsSync(basis) ? (parsed(basis) as JudgeBasis).policy : emptyPolicy }
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readPlain(file).toString('utf8')) as unknown
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read (${codeOf(error)}): name the folder that a check wrote, or its run.json.`,
    )
  }
}
