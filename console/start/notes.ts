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
  noChat: 'May do everything but chat: a message is refused with 403.',
  noBilling: 'May only chat.',
  oneAgent: 'As main, for the agent second only.',
  sacrificial: 'As main: for using up a rate limit.',
  broke: 'Of an account without credits: a turn is refused with 402.',
  other: 'Of another account, with the agent foreign only.',
  revoked: 'Was revoked: every request is refused with 401.',
  noScope: 'Valid, and may do nothing.',
  billingOnly: 'May only read billing.',
  agentsOnly: 'May only list agents.',
  uploadsOnly: 'May only upload files and spreadsheets.',
  designOnly: 'May only inspect the design of agents.',
  visitor: 'May only chat, with the agent second.',
}

export const sessionNotes: Readonly<Record<string, string>> = {
  main: 'A signed-in user of the main account: manages webhooks.',
  other: 'A signed-in user of another account.',
}
