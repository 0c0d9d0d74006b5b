import { must } from '../clause.ts'

const body = 'Resources, Chat request body, interaction'
const reply = 'Resources, Chat success response, presentation'
const current = 'States and transitions, Workflow button current'
const superseded = 'States and transitions, Workflow button superseded'
const state = { state: 'workflow.current' } as const
const implied = { basis: 'implied', state: 'workflow.current' } as const

export const workflow = {
  'FLOW-PRESENTATION-OBJECT': must('`presentation` is an object.', reply, state),
  'FLOW-PRESENTATION-VERSION': must('The version of a presentation is 1.', `${reply}; Versioning`, state),
  'FLOW-BUTTON-COPYABLE': must(
    'A button can be copied: `runId`, `nodeId` and `payload` of an interaction are found in the presentation.',
    body,
    implied,
  ),
  'FLOW-STREAM-PRESENTATION': must(
    '`done` of a streamed Workflow turn has the presentation.',
    'Resources, Streaming events, done',
    implied,
  ),
  'FLOW-PRESS-STATUS': must('A current button, sent with a new key, is answered 200.', current, state),
  'FLOW-PRESS-CONVERSATION': must('The turn goes on in the same conversation.', current, implied),
  'FLOW-PRESS-STREAM': must('A button can be pressed with a streamed turn.', current, implied),
  'FLOW-PRESS-REPLAY': must(
    'Pressing again with the same key is a replay.',
    'States and transitions, Key completed',
    implied,
  ),
  'FLOW-STALE-STATUS': must('A superseded button is refused with 409.', superseded, state),
  'FLOW-STALE-CODE': must('That refusal names `WORKFLOW_INTERACTION_STALE`.', superseded, state),
  'FLOW-STALE-UNCHANGED': must('After that refusal the current button still works.', superseded, implied),
  'FLOW-STALE-FREE': must('It consumes no credits.', superseded, implied),
  'FLOW-FORGED': must('An interaction that no presentation offered is not accepted.', body, implied),
  'FLOW-FORGED-TYPE': must(
    'An interaction of another type than `workflow_button` is not accepted.',
    body,
    implied,
  ),
} as const
