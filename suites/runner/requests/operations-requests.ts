/** The operations half of a driver: discovers, executes, uploads, and reads what comes of it. */
import { put } from '../../assertions/pointer.ts'
import { approvalIdOf, taskIdOf } from '../../operations/assertions/pointers/pointer-receipt.ts'
import { countIn } from '../../operations/assertions/task.ts'
import type { Listing, UploadKind, UploadStep, UploadStepName } from '../../config/dialect.ts'
import type { OperationFixture, Target } from '../../config/target.ts'
import { type Exchange, at, type Json } from '../../wire/exchange.ts'
import type { Outgoing } from '../../wire/recorder.ts'
import { notExercised, stopped } from '../../scenario/ending.ts'
import { executionRequest, readRequest, type ExecutionEnvelope, uploadRequest } from './execution-request.ts'
import { forbidden } from '../plan/operation-choice.ts'
import type {
  ExecuteRequest,
  ListingRequest,
  OperationsDriver,
  UploadRequest,
} from '../../scenario/operations-driver.ts'
import { nowhere, readOnlyEnds } from '../plan/read-only.ts'
import type { RequestDefaults } from './request.ts'
import { plainSetting, type Setting } from '../../scenario/scenario.ts'
import { ordinary } from '../states/settings.ts'
import { follow, only, termsOf, type ScenarioContext, type ScenarioDeps } from '../scenario-context.ts'

type Operation = OperationFixture | string

/** Nothing here runs a turn; the routes are paced as chat is, because their rate is not shown. */
export function operationsHalf(
  context: ScenarioContext,
  deps: ScenarioDeps,
): Omit<OperationsDriver, 'operation'> {
  const { requestDefaults, target, dialect, wire } = deps
  const send = (outgoing: Outgoing): Promise<Exchange> =>
    follow(context, wire.send(outgoing, { ...termsOf([outgoing], context), turns: 0 }), only)
  const read: OperationsDriver['read'] = (name, path, asked = {}) =>
    send(readRequest(name, path, asked, context.setting, requestDefaults))
  const build = async (name: string, operation: Operation, asked: ExecuteRequest): Promise<Outgoing> => {
    const refusal = forbidden(operation, target)
    if (refusal) throw refusal
    return executionOf(name, operation, asked, await envelopeFor(asked, deps), context.setting, deps)
  }
  const execute = async (name: string, operation: Operation, asked: ExecuteRequest = {}): Promise<Exchange> =>
    send(await build(name, operation, asked))
  const show = (name: string, listing: Listing, asked: ListingRequest = {}) => {
    const way = listingOf(listing, target)
    const { limit } = asked
    if ('path' in way) return read(name, limit === undefined ? way.path : `${way.path}?limit=${limit}`, asked)
    const input = put(inputOf(way.operation, requestDefaults), '', limit === undefined ? {} : { limit })
    return execute(name, way.operation, { ...asked, input })
  }
  const upload = async (name: string, asked: UploadRequest): Promise<Exchange> =>
    send(uploadOf(name, asked, context.setting, deps))
  return {
    operations: target.fixtures.operations,
    discover: (name, asked) => read(name, '/api/v1/operations', asked),
    execute,
    executeMore: execute,
    async executeTogether(name, operation, requests) {
      const outgoing = await Promise.all(requests.map((asked) => build(name, operation, asked)))
      const terms = { ...termsOf(outgoing, context), turns: 0 }
      return follow(context, wire.together(outgoing, terms), (exchanges) => exchanges)
    },
    read,
    readMore: read,
    show,
    showMore: show,
    upload,
    uploadMore: upload,
    inputOf: (operation) => inputOf(operation, requestDefaults),
    taskOf: (receipt) => taskIdOf(receipt, dialect),
    approvalOf: (receipt) => approvalIdOf(receipt, dialect),
    notDoneWithin(operation, because) {
      throw notExercised('state-mismatch', notDoneWords(operation, because, target))
    },
    async effectOf(name: string, { effect }: Pick<OperationFixture, 'effect'>) {
      if (!effect) return null
      const shows = target.fixtures.operations.find((operation) => operation.name === effect.operation)
      const receipt = await (shows ? execute(name, shows) : read(name, effect.operation))
      const count = countIn(receipt, effect)
      if (count !== null) return count
      const status = receipt.response ? `answered ${receipt.response.status}` : 'not answered'
      throw stopped(
        `how often it was executed is unknown: \`${name}\` was ${status}, with no number at ${effect.count}`,
      )
    },
  }
}

function notDoneWords(
  { name, doneWithinSeconds }: OperationFixture,
  because: string,
  { doneWithinPlaces = {} }: Target,
): string {
  const place = doneWithinPlaces[name]
  const declared = `fixtures.operations.${name}.doneWithinSeconds: ${doneWithinSeconds}`
  const where = place === undefined ? '' : ` (${place})`
  return `the target file declares \`${declared}\`${where}, but ${because}; declare a longer time, or take it out`
}

/** The fixture that the scenario is run with; throws where it does not declare that it needs one. */
export function operationOf({ operation }: Setting): OperationFixture {
  if (operation) return operation
  throw new Error('the scenario executes an operation of the target file; declare needs.operation')
}

/** Bytes of the scenario's own need no envelope. */
function envelopeFor(
  { raw }: ExecuteRequest,
  deps: ScenarioDeps,
): Promise<ExecutionEnvelope> | ExecutionEnvelope {
  const { envelope, target, dialect, wire, requestDefaults } = deps
  if (raw !== undefined) return ''
  return envelope(async (read, wrapping) => {
    const self = ordinary(target)
    const setting = plainSetting(target.agents.plain, self)
    const carried = { id: read.id, input: inputOf(read, requestDefaults), key: null, envelope: wrapping }
    const asked = self ? {} : { as: null }
    const outgoing = executionRequest('envelope', carried, asked, dialect, setting, requestDefaults)
    const exchange = await wire.send(outgoing, { turns: 0 })
    const { failure } = exchange
    if (failure?.kind === 'budget') throw notExercised('budget-exhausted', failure.message)
    return exchange
  })
}

function executionOf(
  name: string,
  operation: Operation,
  asked: ExecuteRequest,
  envelope: ExecutionEnvelope,
  setting: Setting,
  { dialect, requestDefaults }: ScenarioDeps,
): Outgoing {
  const isText = typeof operation === 'string'
  const id = isText ? operation : operation.id
  const input = asked.input ?? (isText ? {} : inputOf(operation, requestDefaults))
  // What does not exist may be refused for want of a key alone, which would prove nothing.
  const writes = isText ? id.startsWith(nowhere) : operation.write
  const key = asked.key === undefined && writes ? requestDefaults.source.key() : (asked.key ?? null)
  return executionRequest(name, { id, input, key, envelope }, asked, dialect, setting, requestDefaults)
}

/** In a text that says `{fresh}` only that is made anew; any other value gives way to a whole fresh text. */
function inputOf({ input, fresh = [] }: OperationFixture, { source }: RequestDefaults): Json {
  const written = input as Json
  return fresh.reduce<Json>((whole, pointer) => {
    const value = at(whole, pointer)
    const isForm = typeof value === 'string' && value.includes(freshMark)
    const word = source.uuid().replaceAll('-', '').slice(0, 16)
    return put(whole, pointer, isForm ? value.replaceAll(freshMark, word) : source.text())
  }, written)
}

const freshMark = '{fresh}'

function uploadOf(
  name: string,
  asked: UploadRequest,
  setting: Setting,
  { target, dialect, requestDefaults }: ScenarioDeps,
): Outgoing {
  const { kind, step } = asked
  const declared = uploadStep(kind, step, target)
  return uploadRequest(name, asked, declared, dialect.uploads?.[kind]?.prepare, setting, requestDefaults)
}

/** Throws a ScenarioEnded where it is not declared, or not allowed. */
export function uploadStep(kind: UploadKind, step: UploadStepName, target: Target): UploadStep {
  const declared = target.dialect.uploads?.[kind]?.[step]
  if (!declared)
    throw notExercised(
      'fixture-missing',
      `nothing says at which route a ${kind} is uploaded; declare \`dialect.uploads.${kind}.${step}\``,
    )
  if (target.readOnly) throw readOnlyEnds('uploads a file')
  if (!target.optIn.includes('writes'))
    throw notExercised('opt-in-required', 'an upload writes; allow that with `optIn: [writes]`')
  return declared
}

/** How a target shows what the contract gives no route: by one of its own, or by an operation. */
type Way = { path: string } | { operation: OperationFixture }

/** Ends the scenario where neither is declared. */
export function listingOf(listing: Listing, { dialect, fixtures }: Target): Way {
  const name = dialect.routes?.[listing]
  if (name?.startsWith('/')) return { path: name }
  const operation = fixtures.operations.find((fixture) => fixture.name === name)
  if (operation) return { operation }
  throw notExercised(
    'fixture-missing',
    `nothing says where ${listing} can be read; declare \`dialect.routes.${listing}\` with its path, or the operation that does it`,
  )
}
