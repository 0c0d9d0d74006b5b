/** Accepts a failure in the policy, with an owner and a last day. */
import { useState } from 'preact/hooks'
import { messageOf } from '../../state/notices.ts'
import { Code } from '../../ui/code.tsx'
import { Loaded, Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import { runId } from '../address.ts'
import { addWaiver, readWaiverChoice, type Schemas } from '../api.ts'
import { useReading } from '../reading.ts'
import { liveRun } from './follow.ts'
import { Problem } from './live-problem.tsx'

type List = Schemas['WaiverList']

const names: Readonly<Record<List, string>> = {
  knownFailures: 'known failure: this failure of this check',
  flaky: 'flaky: any failure, or no result',
  expectedNotExercised: 'expected not to be exercised',
}

/** Nothing where recorded runs are shown, and for what no gate fails. */
export function WaiverPanel({ check, verdict }: { check: string; verdict: string }) {
  const isOpen = !['pass', 'warn', 'observed', 'not-applicable'].includes(verdict)
  return liveRun.value && isOpen ? <Waiver check={check} /> : null
}

function Waiver({ check }: { check: string }) {
  const live = useReading(() => readWaiverChoice(check), `${runId.value} ${check}`)
  return (
    <Panel title="Waive">
      <Loaded live={live}>
        {({ file, lists, refusal, latest }) =>
          refusal === null && lists[0] ? (
            <WaiverForm check={check} file={file ?? ''} lists={lists} first={lists[0]} latest={latest} />
          ) : (
            <p>{refusal}</p>
          )
        }
      </Loaded>
    </Panel>
  )
}

interface FormProps {
  readonly check: string
  readonly file: string
  readonly lists: readonly List[]
  readonly first: List
  readonly latest: string
}

function WaiverForm({ check, file, lists, first, latest }: FormProps) {
  const [entry, setEntry] = useState({ list: first, owner: '', reason: '', issue: '', expires: '' })
  const [written, setWritten] = useState<Schemas['WrittenWaiver'] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const field = (name: 'owner' | 'reason' | 'issue' | 'expires') => ({
    value: entry[name],
    onInput: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setEntry({ ...entry, [name]: value }),
  })
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    setProblem(null)
    try {
      setWritten(await addWaiver(check, entry))
    } catch (error) {
      setProblem(messageOf(error))
    }
  }
  if (written) return <Written written={written} />
  return (
    <form class="waiver" onSubmit={(event) => void submit(event)}>
      <Select
        label="As"
        value={entry.list}
        options={Object.fromEntries(lists.map((list) => [list, names[list]])) as Record<List, string>}
        onChange={(list) => setEntry({ ...entry, list })}
      />
      {entry.list !== 'expectedNotExercised' && (
        <label>
          Owner <input required {...field('owner')} />
        </label>
      )}
      <label>
        Reason <input required {...field('reason')} />
      </label>
      {entry.list !== 'expectedNotExercised' && (
        <>
          <label>
            Issue <input type="url" placeholder="https://…" {...field('issue')} />
          </label>
          <label>
            Until <input type="date" required max={latest} {...field('expires')} />
          </label>
        </>
      )}
      <p class="row">
        <button type="submit" class="main">
          Add to the policy
        </button>
        <span class="soft mono">{file}</span>
      </p>
      <Problem text={problem} />
    </form>
  )
}

function Written({ written: { file, entry } }: { written: Schemas['WrittenWaiver'] }) {
  return (
    <div role="status">
      <p>Written to {file}. The next run of the check has it.</p>
      <Code text={entry} label="entry" />
    </div>
  )
}
