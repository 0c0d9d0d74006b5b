import manifest from '../package.json' with { type: 'json' }

export const version = (): string => manifest.version

/** What `touchstone --help` prints: a text, so that it loads no command. A test compares it with the commands. */
export const firstHelp = `Usage: touchstone <command> [options]

Check a chat service against its contract, or simulate one that conforms.

  check       check a server against the contract
  receiver    check a webhook receiver with valid, forged and duplicate deliveries
  client      check a client, in any language, against a simulator
  judge       judge recorded traffic: HAR files, or the folders of runs
  simulate    start a simulator of the service
  show        browse a recorded run in a page of this machine

More, by touchstone help GROUP:

  target      prepare a run, and what there is to test
              init, doctor, plan, spec, cleanup, list
  evidence    what runs leave: compare, verify, sign
              report, merge, diff, verify, certify, baseline, keygen
  simulator   run with a simulator, and what it sends to
              exec, listen, proxy, replies
  sim         control a running simulator: its clock, webhooks, approvals, faults

touchstone help COMMAND prints the options of a command, touchstone --version the version.
`
