/** What the agents that every tenant has are for. */
export const agentNotes: Readonly<Record<string, string>> = {
  plain: 'Echoes the message.',
  second: 'Echoes the message, too.',
  workflow: 'Replies with buttons; pressing one returns the next ones.',
  tools: 'Runs a tool, visible in the stream.',
  gate: 'A gate changes the turn.',
  failing: 'Fails in the middle of a stream.',
  slow: 'Replies after a delay.',
  paused: 'AI replies are paused.',
  forbidden: 'Not allowed by the plan.',
  foreign: 'Belongs to another account.',
}
