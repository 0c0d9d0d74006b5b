/** Operations to run, and what they lead to: tasks, approvals and uploads, with the buttons of the owner. */
import { api, bodyOf, type Schemas } from '../state/api.ts'
import { act, useLive } from '../state/live.ts'
import { ofTenant, tenantId } from '../state/tenant.ts'
import { RunPanel } from './run.tsx'
import { EmptyWithSituation } from '../ui/empty-with-situation.tsx'
import { Badge, Loaded, Panel, type Tone } from '../ui/panel.tsx'

const read = async () => {
  const params = { path: ofTenant() }
  const [{ tasks }, { approvals }, { uploads }] = await Promise.all([
    bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/tasks', { params })),
    bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/approvals', { params })),
    bodyOf(api.GET('/_sim/v1/tenants/{tenantId}/uploads', { params })),
  ])
  return { tasks, approvals, uploads }
}

export function OperationsView() {
  const live = useLive(read, tenantId.value)
  return (
    <>
      <RunPanel />
      <Loaded live={live}>
        {({ tasks, approvals, uploads }) => (
          <>
            <Panel title="Approvals">
              {approvals.length === 0 ? (
                <EmptyWithSituation situation="approval">
                  No approvals. Run customers.erase above: the owner has to approve it.
                </EmptyWithSituation>
              ) : (
                <ul class="plain">
                  {approvals.toReversed().map((approval) => (
                    <ApprovalOf key={approval.id} approval={approval} />
                  ))}
                </ul>
              )}
            </Panel>
            <Panel title="Tasks">
              {tasks.length === 0 ? (
                <EmptyWithSituation situation="import-task">
                  No tasks. Run customers.import above: it continues as a task.
                </EmptyWithSituation>
              ) : (
                <ul class="plain">
                  {tasks.toReversed().map((task) => (
                    <TaskOf key={task.id} task={task} />
                  ))}
                </ul>
              )}
            </Panel>
            <Panel title="Uploads">
              {uploads.length === 0 ? (
                <EmptyWithSituation situation="document-upload">
                  No uploads. Run knowledge.upload_document above.
                </EmptyWithSituation>
              ) : (
                <Uploads uploads={uploads} />
              )}
            </Panel>
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
        params: { path: { ...ofTenant(), approvalId: id } },
        body: { decision },
      }),
    )
  return (
    <li class="row">
      <strong>{operation}</strong>
      <code>{JSON.stringify(input)}</code>
      <span class="soft mono">{id}</span>
      <Badge tone={approvalTones[state] ?? 'quiet'}>{state}</Badge>
      {state === 'pending' && (
        <>
          <button type="button" class="main" onClick={() => void decide('approved')}>
            Approve
          </button>
          <button type="button" onClick={() => void decide('rejected')}>
            Reject
          </button>
        </>
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
        params: { path: { ...ofTenant(), taskId: id } },
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
          .map((step) => (
            <button key={step} type="button" onClick={() => void advance(step)}>
              {steps[step].label}
            </button>
          ))}
    </li>
  )
}

function Uploads({ uploads }: { uploads: readonly Schemas['OwnedUpload'][] }) {
  return (
    <ul class="plain">
      {uploads.map(({ id, kind, fileName, size, stored, renewed }) => (
        <li key={id} class="row">
          <strong>{fileName}</strong>
          <span class="mono">{id}</span>
          <span class="soft">
            {kind}, {size.toLocaleString('en')} bytes
          </span>
          <Badge tone={stored ? 'good' : 'quiet'}>{stored ? 'stored' : 'prepared'}</Badge>
          {renewed && <Badge>renewed</Badge>}
        </li>
      ))}
    </ul>
  )
}
