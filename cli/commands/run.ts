/** The commands that send requests to a target, a receiver or a client, and what undoes them. */
import { collectGarbageEarly } from '../../bundle/memory.ts'
import { contractIdentifiers } from '../../spec/identifiers.ts'
import { row, targetArgument } from '../command.ts'
import { exitCodeHelp } from '../exit-codes.ts'
import { checkFlags, cleanupFlags, clientFlags, judgeFlags, proxyFlags, receiverFlags } from './options.ts'

export const runRows = [
  row({
    name: 'check',
    description: 'check a server against the contract',
    argument: targetArgument,
    options: checkFlags,
    help: `
Examples:
  touchstone check simulator
  touchstone check touchstone.yaml --profile smoke --max-credits 50
  touchstone check --base-url https://staging.example --api-key env:STAGING_KEY --agent agent_1
  touchstone check simulator --only 'IDEM-*' --fault replay-unmarked
${exitCodeHelp}`,
    run: async ([named], given, io) => (await import('../check/check.ts')).runCheck(named, given, io),
  }),
  row({
    name: 'receiver',
    description: 'check a webhook receiver with valid, forged and duplicate deliveries',
    argument: ['<url>', 'URL of the receiver'],
    other: ['[command...]', 'after --: start the receiver with this command, and again after a crash'],
    options: receiverFlags,
    help: `
Examples:
  touchstone receiver http://localhost:3000/webhooks --secret env:WEBHOOK_SECRET --vendor acme
  touchstone receiver http://localhost:3000/webhooks --secret env:WEBHOOK_SECRET -- node app.js
  touchstone receiver https://staging.example/hooks --secret file:secret.txt --header Authorization=env:AUTH
  touchstone receiver http://localhost:3000/webhooks --secret env:WEBHOOK_SECRET --effects 'http://localhost:3000/effects/{id}'
${exitCodeHelp}`,
    run: async ([url = '', ...command], given, io) =>
      (await import('../receiver/receiver.ts')).receiver(url, command, given, io),
  }),
  row({
    name: 'client',
    description: 'check a client, in any language, against a simulator',
    argument: ['[command...]', 'after --: the client and its arguments'],
    options: clientFlags,
    more: `
The command is started once for each step, and finds in its environment where to send it
(${contractIdentifiers.baseUrlVariable}, ${contractIdentifiers.apiKeyVariable}, TOUCHSTONE_AGENT; --vendor changes both names) and what (TOUCHSTONE_ACTION, TOUCHSTONE_TASK
and a variable for each member of the task, such as TOUCHSTONE_MESSAGE). In its arguments {base_url},
{api_key}, {agent}, {action}, {message} and so on are replaced by the same. No shell is involved.`,
    help: `
Examples:
  touchstone client -- python app.py
  touchstone client --can chat,stream -- node app.mjs --url {base_url} --key {api_key}
  touchstone client --driver -- ./my-client
  touchstone client --vendor acme -- python app.py
  touchstone client --as command-line -- service-client
  touchstone client --interactive
${exitCodeHelp}`,
    run: async (words, given, io) => (await import('../client/client.ts')).client(words, given, io),
  }),
  row({
    name: 'judge',
    description: 'judge recorded traffic: HAR files, or the folders of runs',
    argument: ['<file...>', 'HAR files, or folders of runs'],
    options: judgeFlags,
    help: `
Examples:
  touchstone judge recording.har
  touchstone judge tests.har staging.har --base-url https://staging.example --vendor acme
  touchstone judge deliveries.har --secret env:WEBHOOK_SECRET

Exit codes:
  0  no violation
  1  a MUST clause was violated that the policy does not waive
  2  wrong usage, or a file that cannot be read
  3  no signed delivery verifies with a given secret
  4  no exchange belongs to the service
  70 error of Touchstone`,
    run: async (files, given, io) => {
      collectGarbageEarly()
      return (await import('../judge/judge.ts')).judgeFiles(files, given, io)
    },
  }),
]

export const proxyRow = row({
  name: 'proxy',
  description: 'forward to a service or a receiver, record what passes, and judge it',
  options: proxyFlags,
  help: `
Examples:
  touchstone proxy --to https://staging.example --listen 127.0.0.1:4040 --record recording
  touchstone proxy --to http://localhost:3000 --listen 4041 --secret env:WEBHOOK_SECRET
${exitCodeHelp}`,
  run: async (_, given, io) => {
    collectGarbageEarly()
    return (await import('../proxy/proxy.ts')).proxy(given, io)
  },
})

export const cleanupRow = row({
  name: 'cleanup',
  description: 'delete what an interrupted run left on the target',
  argument: ['[folder]', 'folder of the interrupted run', 'touchstone-report'],
  options: cleanupFlags,
  help: `
Example:
  touchstone cleanup touchstone-report --target touchstone.yaml

Exit codes:
  0  nothing is left
  2  wrong usage or configuration
  3  something is left, to be deleted by hand`,
  run: async ([folder = ''], given, io) => (await import('../cleanup/cleanup.ts')).undo(folder, given, io),
})
