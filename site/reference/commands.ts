/** Every command by its own help. */
import type { Command } from 'commander'
import { createProgram } from '../../cli/main.ts'
import { createClientProgram } from '../../client/command-line/main.ts'
import { createDiscreetIo } from '../../client/command-line/output/discretion.ts'
import { formats } from '../../reports/formats/index.ts'
import { anchored, fenced, paragraphs } from './markdown.ts'

const columns = 88
const stopped = new AbortController().signal

const unused = {
  err: () => undefined,
  env: {},
  width: columns,
  stopped,
}

/** Help of a command with what is printed before and after it, as a terminal shows it. */
function helpOf(command: Command): string {
  let printed = ''
  command.configureOutput({ writeOut: (text) => void (printed += text), getOutHelpWidth: () => columns })
  command.outputHelp()
  return printed
}

const fullName = (command: Command): string =>
  command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name()

/** A command, then those below it. */
function sections(command: Command, level: number): readonly string[] {
  const name = fullName(command)
  const below = command.commands.flatMap((one) => sections(one, level))
  return [anchored(level, name, name), fenced('text', helpOf(command)), ...below]
}

function touchstone(): Command {
  const io = {
    ...unused,
    out: () => undefined,
    colour: false,
    live: false,
    now: () => 0,
    question: null,
    signals: () => () => undefined,
  }
  return createProgram({ io, end: () => undefined, formats: formats.map(({ name }) => name) })
}

function serviceClient(): Command {
  const io = {
    ...unused,
    out: () => undefined,
    home: '~',
    windows: false,
    terminal: false,
    read: () => Promise.resolve(''),
    hidden: null,
  }
  return createClientProgram({ io: createDiscreetIo(io), end: () => undefined })
}

/** A page for each of the two commands. */
export function commandPages(): Readonly<Record<string, string>> {
  return {
    'reference/touchstone.md': page(touchstone(), 'The command `touchstone`'),
    'reference/service-client.md': page(serviceClient(), 'The command `service-client`'),
  }
}

function page(root: Command, title: string): string {
  const groups = Map.groupBy(root.commands, (command) => command.helpGroup().replace(/:$/, ''))
  const parts = [...groups].flatMap(([heading, commands]) => [
    ...(heading === '' ? [] : [`## ${heading}`]),
    ...commands.flatMap((command) => sections(command, heading === '' ? 2 : 3)),
  ])
  return paragraphs([`# ${title}`, fenced('text', helpOf(root)), ...parts])
}
