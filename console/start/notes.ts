/** What the agents, keys and sessions that every tenant has are for. */
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

export const keyNotes: Readonly<Record<string, string>> = {
  main: 'May do everything: chat, billing reads, uploads, agent inspection.',
  second: 'As main, for the same account; its rate limit is its own.',
  noChat: 'Every operation, but no chat: a message is refused with 403.',
  noBilling: 'Chat, and the operations that need no scope, such as notes.create.',
  oneAgent: 'As main, for the agent second only.',
  sacrificial: 'As main: for using up a rate limit.',
  broke: 'Of an account without credits: a turn is refused with 402.',
  other: 'Of another account, with the agent foreign only.',
  revoked: 'Was revoked: every request is refused with 401.',
  noScope: 'Only the operations that need no scope: no chat, billing, uploads or agents.',
  billingOnly: 'Billing reads, and the operations that need no scope; no chat.',
  agentsOnly: 'Lists agents; the operations that need no scope; no chat.',
  uploadsOnly: 'Uploads of files and spreadsheets, and the operations that need no scope; no chat.',
  designOnly: 'Reads and drafts the design of agents; the operations that need no scope; no chat.',
  visitor: 'Chat with the agent second only, and the operations that need no scope.',
}

export const sessionNotes: Readonly<Record<string, string>> = {
  main: 'A signed-in user of the main account: manages webhooks.',
  other: 'A signed-in user of another account.',
}
