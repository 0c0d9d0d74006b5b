import { ambiguous, notShownGap, silentGap } from '../gap.ts'

const older = 'Endpoints, Older variant of the chat interface'

export const serviceGaps = {
  'GAP-KEY-ROTATION': notShownGap({
    question: 'How is an API key rotated?',
    source: 'Authentication, Chat and operations, 3',
    unjudged: 'The way, and how soon the old key stops.',
    interpretations: { 'at-once': 'By a control of the simulator; the old key stops at once.' },
  }),
  'GAP-SCOPE-LIST': notShownGap({
    question: 'Which scopes are there besides the five that are named?',
    source: 'Authentication, Chat and operations, 4',
    unjudged: 'Any other scope.',
    interpretations: {
      five: 'None.',
      writes: 'One more, `agent_design_write`, for drafts of an agent design.',
    },
  }),
  'GAP-TRIAL-LIMITS': notShownGap({
    question: 'What are the limits of a trial?',
    source: 'Limits, Other gaps, trial limits',
    unjudged: 'The limits, and how going beyond them is refused.',
    interpretations: { none: 'None but the credits of the trial.' },
  }),
  'GAP-DEPRECATION': notShownGap({
    question: 'How is a version deprecated, and how do client and server agree on one?',
    source: 'Versioning, last row',
    unjudged: 'Any header or answer about it.',
    interpretations: { none: 'Not at all: the prefix is the version.' },
  }),
  'GAP-OLDER-SERVED': notShownGap({
    question: 'Is the older variant still served?',
    source: 'Versioning, older variant',
    unjudged: 'All of it, unless the target says that it serves the variant.',
    interpretations: { no: 'No: its routes are answered 404.', yes: 'Yes.' },
  }),
  'GAP-OLDER-EVENTS': silentGap({
    question: 'What do the stream events of the older variant carry?',
    source: `${older}, Streaming events`,
    unjudged: 'Their members.',
    interpretations: {
      named: '`text` carries `text`, `sources` carries `sources`, `done` the rest of the reply.',
      content: 'Each carries its part in `content`.',
    },
  }),
  'GAP-OLDER-RETRY-AFTER': ambiguous({
    question: 'When does an error of the older variant carry `retry_after`?',
    source: `${older}, Error body`,
    unjudged: 'Its presence outside a 429, and its unit.',
    interpretations: {
      limited: 'With a 429 only, in seconds.',
      always: 'Always; null where waiting is of no use.',
    },
  }),
} as const
