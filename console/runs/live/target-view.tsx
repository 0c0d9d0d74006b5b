/** The target file: edited here, examined as `touchstone doctor` does, and saved for the next run. */
import { useEffect, useState } from 'preact/hooks'
import { messageOf, notify } from '../../state/notices.ts'
import { Loaded, Panel } from '../../ui/panel.tsx'
import { examineTarget, readTargetFile, saveTargetFile, type Schemas } from '../api.ts'
import { useReading } from '../reading.ts'
import { ExaminationList } from './examination.tsx'
import { Problem } from './live-problem.tsx'

type TargetFile = Schemas['TargetFileText']

export function TargetView() {
  const [loads, setLoads] = useState(0)
  const live = useReading(readTargetFile, `target ${loads}`)
  return (
    <Loaded live={live}>
      {(file) => <TargetFileForm key={file.digest} file={file} onLoad={() => setLoads(loads + 1)} />}
    </Loaded>
  )
}

function TargetFileForm({ file, onLoad }: { file: TargetFile; onLoad: () => void }) {
  const { path, text, withheld } = file
  const [changed, setChanged] = useState(false)
  const load = (): void => {
    if (!changed || confirm('Discard what is not saved?')) onLoad()
  }
  return (
    <Panel
      title={path}
      aside={
        <button type="button" onClick={load}>
          Load again
        </button>
      }
    >
      {text === null ? (
        <p class="problem lines">{withheld}</p>
      ) : (
        <Editor file={file} saved={text} onChanged={setChanged} />
      )}
    </Panel>
  )
}

interface EditorProps {
  file: TargetFile
  saved: string
  /** With whether there is something to save. */
  onChanged: (changed: boolean) => void
}

function Editor({ file, saved, onChanged }: EditorProps) {
  const [at, setAt] = useState({ digest: file.digest, text: saved })
  const [text, setText] = useState(saved)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [examination, setExamination] = useState<Schemas['Examination'] | null>(null)
  const changed = text !== at.text
  useWarning(changed)
  useEffect(() => onChanged(changed), [changed, onChanged])

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    setProblem(null)
    try {
      await work()
    } catch (error) {
      setProblem(messageOf(error))
    }
    setBusy(false)
  }
  const examine = () =>
    attempt(async () => {
      setExamination(null)
      setExamination(await examineTarget(text))
    })
  const save = () =>
    attempt(async () => {
      const { digest } = await saveTargetFile(text, at.digest)
      setAt({ digest, text })
      notify('Saved: the next run has it.')
    })

  return (
    <>
      <textarea
        class="mono file"
        aria-label="Target file"
        spellcheck={false}
        rows={Math.min(30, text.split('\n').length + 1)}
        value={text}
        onInput={({ currentTarget: { value } }) => setText(value)}
      />
      <p class="row">
        <button type="button" class="main" disabled={busy || !changed} onClick={() => void save()}>
          Save
        </button>
        <button type="button" disabled={busy} onClick={() => void examine()}>
          Examine
        </button>
        <span class="soft" role="status">
          {busy ? 'Working…' : changed ? 'Not saved.' : 'As on disk.'}
        </span>
      </p>
      <p class="soft">
        Examine checks this text, saved or not, against the live target, as <code>touchstone doctor</code>{' '}
        does: at most 30 requests and 8 turns. A run in progress has the file as it was at its start.
      </p>
      <Problem text={problem} />
      {examination && <ExaminationList examination={examination} />}
    </>
  )
}

/** Leaving the page with changes asks first. */
function useWarning(changed: boolean): void {
  useEffect(() => {
    if (!changed) return undefined
    const warn = (event: Event): void => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [changed])
}
