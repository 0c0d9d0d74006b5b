import type { ClauseId } from '../spec/index.ts'

/** Clauses that no scenario judges, each with the reason. A test holds this table complete for the areas that count. */
export const uncovered: Readonly<Partial<Record<ClauseId, string>>> = {
  'AUTH-KEY-ONCE': 'Keys are made in the project settings, which the contract does not show.',
  'OLD-BACKOFF': 'What a client does is not seen by asking a server.',
  'OLD-WEBHOOK': 'How a webhook of the older variant is made is not shown, so nothing can be delivered to.',
  'OPS-ONE-CATALOG':
    'A run asks the HTTP API alone; dashboard, connectors and installed packages are not seen by it.',
  'PLAN-PAID': 'No response shows which plans are paid, and no state changes to each of them.',
  'PLAN-TRIAL': 'Nothing brings a trial about on the wire, and its limits are not shown.',
  'UPL-DOCUMENT-NO-BYTES':
    'What is stored shows only inside the service; what shows outside is judged as UPL-DOCUMENT-HELD.',
  'VER-PREFIX':
    'Every scenario is run below /api/v1: a service that serves its routes elsewhere passes none.',
  'VER-SERVER-FIX': 'It compares two versions of a service, of which a run sees one.',
}
