/** Operations to run, and what they lead to: tasks, approvals and uploads, with the buttons of the owner. */
import { api, bodyOf, type Schemas } from '../state/api.ts'
import { sendAndShow } from '../requests/resend-form.tsx'
import { requestOf } from '../requests/resend.ts'
import { bodyTextOf } from '../requests/summary.ts'
import { exchanges } from '../state/exchanges.ts'
import { act, useLive } from '../state/live.ts'
import { inTenant, tenantId } from '../state/tenant.ts'
import { RunPanel } from './run.tsx'
import { EmptyWithSituation, Badge, ListPanel, Loaded, type Tone } from '../ui/panel.tsx'
import { Button } from '../ui/controls.tsx'

const read = async () => {
  const [{ tasks }, { approvals }, { uploads }] = await Promise.all([
    bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/tasks', inTenant())),
    bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/approvals', inTenant())),
    bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/uploads', inTenant())),
  ])
  return { tasks, approvals, uploads }
}

const none = (situation: string, hint: string) => (
  <EmptyWithSituation situation={situation}>None yet. {hint}</EmptyWithSituation>
)

export function OperationsView() {
  const live = useLive(read, tenantId.value)
  return (
    <>
      <RunPanel />
      <Loaded live={live}>
        {({ tasks, approvals, uploads }) => (
          <>
            <ListPanel title="Approvals" empty={none('approval', 'customers.erase needs one.')}>
              {approvals.toReversed().map((one) => (
                <ApprovalOf key={one.id} approval={one} />
              ))}
            </ListPanel>
            <ListPanel title="Tasks" empty={none('import-task', 'customers.import continues as one.')}>
              {tasks.toReversed().map((one) => (
                <TaskOf key={one.id} task={one} />
              ))}
            </ListPanel>
            <ListPanel
              title="Uploads"
              empty={none('document-upload', 'knowledge.upload_document prepares one.')}
            >
              {uploads.map((one) => (
                <UploadOf key={one.id} upload={one} />
              ))}
            </ListPanel>
          </>
        )}
      </Loaded>
    </>
  )
}

const approvalTones: Readonly<Record<string, Tone>> = {
  approved: 'good',
  rejected: 'bad',
  pending: 'doubt',
}

function ApprovalOf({ approval: { id, operation, input, state } }: { approval: Schemas['ApprovalState'] }) {
  const decide = (decision: 'approved' | 'rejected') =>
    act(`${operation} is ${decision}.`, () =>
      api.POST('/_sim/v1/tenants/{tenantId}/approvals/{approvalId}', {
        ...inTenant({ approvalId: id }),
        body: { decision },
      }),
    )
  // With another key, the same input would need another approval.
  const asked = exchanges.value.find(
    (one) => one.idempotencyKey !== undefined && bodyTextOf(one).includes(`"${id}"`),
  )
  return (
    <li class="row">
      <strong>{operation}</strong>
      <span>
        {state === 'pending' ? 'would run' : 'asked to run'} with{' '}
        {Object.entries(input).map(([name, value], at) => (
          <span key={name}>
            {at > 0 && ', '}
            {name} <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>
          </span>
        ))}
      </span>
      <span class="soft mono">{id}</span>
      <Badge tone={approvalTones[state] ?? 'quiet'}>{state}</Badge>
      {state === 'pending' && (
        <>
          <Button shown="Approve" class="main" onClick={() => decide('approved')} />
          <Button shown="Reject" onClick={() => decide('rejected')} />
        </>
      )}
      {asked && (
        <Button
          shown="Send again with the same key"
          onClick={() => act(null, () => sendAndShow(requestOf(asked)))}
        />
      )}
    </li>
  )
}

/** The states in which each makes sense; otherwise in all that are not final. */
const steps = {
  next: { label: 'Next state', states: ['queued', 'running'] },
  ask: { label: 'Ask for input', states: ['running'] },
  input: { label: 'Give the input', states: ['input_required'] },
  finish: { label: 'Finish', states: null },
  fail: { label: 'Fail', states: null },
  cancel: { label: 'Cancel', states: null },
} as const satisfies Record<
  Schemas['TaskStepRequest']['step'],
  { label: string; states: readonly string[] | null }
>
const stepNames = Object.keys(steps) as (keyof typeof steps)[]
const ended = new Set(['completed', 'failed', 'cancelled'])

function TaskOf({ task: { id, operation, state } }: { task: Schemas['OwnedTask'] }) {
  const advance = (step: keyof typeof steps) =>
    act(null, () =>
      api.POST('/_sim/v1/tenants/{tenantId}/tasks/{taskId}', {
        ...inTenant({ taskId: id }),
        body: { step },
      }),
    )
  return (
    <li class="row">
      <strong>{operation}</strong>
      <span class="mono">{id}</span>
      <Badge tone={state === 'completed' ? 'good' : ended.has(state) ? 'bad' : 'doubt'}>{state}</Badge>
      {!ended.has(state) &&
        stepNames
          .filter((step) => steps[step].states?.some((one) => one === state) ?? true)
          .map((step) => <Button key={step} shown={steps[step].label} onClick={() => advance(step)} />)}
    </li>
  )
}

function UploadOf({ upload }: { upload: Schemas['OwnedUpload'] }) {
  const { id, kind, fileName, size, stored, renewed } = upload
  return (
    <li class="row">
      <strong>{fileName}</strong>
      <span class="mono">{id}</span>
      <span class="soft">
        {kind}, {size === 1 ? '1 byte' : `${size.toLocaleString('en')} bytes`}
      </span>
      <Badge tone={stored ? 'good' : 'quiet'}>{stored ? 'stored' : 'prepared'}</Badge>
      {renewed && <Badge>renewed</Badge>}
    </li>
  )
}
