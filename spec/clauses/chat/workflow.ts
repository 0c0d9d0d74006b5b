import { implied, must, stated } from '../../clause.ts'
import { quoted } from '../../quoted.ts'

const body = 'Resources, Chat request body, interaction'
const reply = 'Resources, Chat success response, presentation'
const current = 'States and transitions, Workflow button current'
const superseded = 'States and transitions, Workflow button superseded'
const state = { state: 'workflow.current' } as const
const continues = 'copied `interaction` | selection still current | turn continues'
const stale = 'selection no longer current | unchanged | 409 `WORKFLOW_INTERACTION_STALE`'
const unchanged = 'selection no longer current | unchanged'
const noOther = 'It cannot start an arbitrary Workflow'

export const workflowClauses = {
  'FLOW-PRESENTATION-OBJECT': must(
    '`presentation` is an object.',
    stated(reply, '`presentation` | object', state),
  ),
  'FLOW-PRESENTATION-VERSION': must(
    'The version of a presentation is 1.',
    stated(reply, 'Its version is 1', state),
  ),
  'FLOW-BUTTON-COPYABLE': must(
    'A button can be copied: `runId`, `nodeId` and `payload` of an interaction are found in the presentation.',
    implied(body, '`type`, `runId`, `nodeId`, `payload`, copied from the previous `presentation`', state),
  ),
  'FLOW-STREAM-PRESENTATION': must(
    '`done` of a streamed Workflow turn has the presentation.',
    implied('Resources, Streaming events, done', 'same final fields as a non-streaming reply', state),
  ),
  'FLOW-PRESS-STATUS': must(
    'A current button, sent with a new key, is answered 200.',
    stated(current, continues, state),
  ),
  'FLOW-PRESS-CONVERSATION': must(
    'The turn goes on in the same conversation.',
    implied(current, ['selection still current | turn continues', quoted.continuesConversation], state),
  ),
  'FLOW-PRESS-STREAM': must(
    'A button can be pressed with a streamed turn.',
    implied(current, [continues, quoted.eventStream], state),
  ),
  'FLOW-PRESS-REPLAY': must(
    'Pressing again with the same key never runs a second turn: it is a replay.',
    implied(
      'States and transitions, Key completed',
      ['identical request with same key', '200 with reply replayed'],
      state,
    ),
  ),
  'FLOW-STALE-STATUS': must('A superseded button is refused with 409.', stated(superseded, stale, state)),
  'FLOW-STALE-CODE': must(
    'That refusal names `WORKFLOW_INTERACTION_STALE`.',
    stated(superseded, stale, state),
  ),
  'FLOW-STALE-UNCHANGED': must(
    'After that refusal the current button still works.',
    implied(superseded, [unchanged, 'picks a current button'], state),
  ),
  'FLOW-STALE-FREE': must(
    'It consumes no credits.',
    implied(superseded, [unchanged, quoted.chargedAtEnd], state),
  ),
  'FLOW-FORGED': must(
    'An interaction that no presentation offered is refused, or counts as its text alone.',
    implied(body, [noOther, 'copied from the previous `presentation`'], state),
  ),
  'FLOW-FORGED-TYPE': must(
    'An interaction of another type than `workflow_button` is refused, or counts as its text alone.',
    implied(body, ['A `workflow_button` selection', noOther], state),
  ),
} as const
