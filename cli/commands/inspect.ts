/** The commands that write and examine target files, and what they show of the contract. */
import { row, targetArgument } from '../command.ts'
import { cleanupRow } from './run.ts'
import { list } from '../list/list.ts'
import { doctorFlags, initFlags, planFlags, specFlags } from './options.ts'

export const targetRows = [
  row({
    name: 'init',
    description: 'write a target file for a first run',
    argument: ['[file]', 'the target file to write', 'touchstone.yaml'],
    options: initFlags,
    help: `
Without options, in a terminal, the command prompts for each value. Every value can be env:NAME.

If address, key and agent are set, the command announces and sends one turn and its replay to find
the vendor's word. With --vendor WORD it sends nothing.

Examples:
  touchstone init
  touchstone init staging.yaml
  touchstone init staging.yaml --base-url https://staging.example --api-key env:STAGING_KEY --agent agent_1`,
    run: async ([file = ''], given, io) => (await import('../init/init.ts')).init(file, given, io),
  }),
  row({
    name: 'doctor',
    description: 'check a target file against the live target, with few requests and at most 8 turns',
    argument: targetArgument,
    options: doctorFlags,
    help: `
✓ ok, ✗ wrong or missing, – not checked.

Exit codes:
  0  nothing contradicts the file
  2  the file, or something it declares, is wrong
  3  something the file relies on is missing
  4  target unreachable`,
    run: async ([named], given, io) => (await import('../doctor/doctor.ts')).doctor(named, given, io),
  }),
  row({
    name: 'plan',
    description: 'list the checks of a run and its maximum cost, without sending requests',
    argument: targetArgument,
    options: planFlags,
    run: async ([named], given, io) => (await import('../plan/plan.ts')).plan(named, given, io),
  }),
  row({
    name: 'spec',
    description: 'write the OpenAPI and AsyncAPI documents of the contract, each in one file',
    options: specFlags,
    help: `
Writes openapi.yaml, openapi.json, asyncapi.yaml and asyncapi.json, each self-contained. With
--vendor, header names, constants, examples and descriptions contain the identifiers of the vendor.

Examples:
  touchstone spec --out api
  touchstone spec --vendor acme --out api

Exit codes:
  0  the four files are written
  2  wrong usage, a file of another origin exists, or the folder cannot be written`,
    run: async (_, given) => (await import('../spec/spec.ts')).spec(given),
  }),
  cleanupRow,
  list,
]
