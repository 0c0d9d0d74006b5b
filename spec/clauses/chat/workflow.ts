import { must } from '../../clause.ts'
import { quoted } from '../../quoted.ts'

const body = 'Resources, Chat request body, interaction'
const reply = 'Resources, Chat success response, presentation'
const current = 'States and transitions, Workflow button current'
const superseded = 'States and transitions, Workflow button superseded'
const state = { state: 'workflow.current' } as const
const implied = { basis: 'implied', state: 'workflow.current' } as const
const continues = 'copied `interaction` | selection still current | turn continues'
const stale = 'selection no longer current | unchanged | 409 `WORKFLOW_INTERACTION_STALE`'
const unchanged = 'selection no longer current | unchanged'
const noOther = 'It cannot start an arbitrary Workflow'

export const workflowClauses = {
  'FLOW-PRESENTATION-OBJECT': must('`presentation` is an object.', reply, '`presentation` | object', state),
  'FLOW-PRESENTATION-VERSION': must('The version of a presentation is 1.', reply, 'Its version is 1', state),
  'FLOW-BUTTON-COPYABLE': must(
    'A button can be copied: `runId`, `nodeId` and `payload` of an interaction are found in the presentation.',
    body,
    '`type`, `runId`, `nodeId`, `payload`, copied from the previous `presentation`',
    implied,
  ),
  'FLOW-STREAM-PRESENTATION': must(
    '`done` of a streamed Workflow turn has the presentation.',
    'Resources, Streaming events, done',
    'same final fields as a non-streaming reply',
    implied,
  ),
  'FLOW-PRESS-STATUS': must(
    'A current button, sent with a new key, is answered 200.',
    current,
    continues,
    state,
  ),
  'FLOW-PRESS-CONVERSATION': must(
    'The turn goes on in the same conversation.',
    current,
    ['selection still current | turn continues', quoted.continuesConversation],
    implied,
  ),
  'FLOW-PRESS-STREAM': must(
    'A button can be pressed with a streamed turn.',
    current,
    [continues, quoted.eventStream],
    implied,
  ),
  'FLOW-PRESS-REPLAY': must(
    'Pressing again with the same key never runs a second turn: it is a replay.',
    'States and transitions, Key completed',
    ['identical request with same key', '200 with reply replayed'],
    implied,
  ),
  'FLOW-STALE-STATUS': must('A superseded button is refused with 409.', superseded, stale, state),
  'FLOW-STALE-CODE': must('That refusal names `WORKFLOW_INTERACTION_STALE`.', superseded, stale, state),
  'FLOW-STALE-UNCHANGED': must(
    'After that refusal the current button still works.',
    superseded,
    [unchanged, 'picks a current button'],
    implied,
  ),
  'FLOW-STALE-FREE': must('It consumes no credits.', superseded, [unchanged, quoted.chargedAtEnd], implied),
  'FLOW-FORGED': must(
    'An interaction that no presentation offered is refused, or counts as its text alone.',
    body,
    [noOther, 'copied from the previous `presentation`'],
    implied,
  ),
  'FLOW-FORGED-TYPE': must(
    'An interaction of another type than `workflow_button` is refused, or counts as its text alone.',
    body,
    ['A `workflow_button` selection', noOther],
    implied,
  ),
} as const
