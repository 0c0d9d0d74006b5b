import { must } from '../clause.ts'

export const versioning = {
  'VER-PREFIX': must('Chat and operation routes are served under `/api/v1`.', 'Versioning, first row'),
  'VER-EMBEDDED': must(
    'Library and command line carry the versioned contracts they were built with.',
    'Versioning, client library and command line',
    { actor: 'library', observe: 'inside' },
  ),
  'VER-SERVER-FIX': must(
    'A fix on the server to an operation that exists needs no new client.',
    'Versioning, client library and command line',
    { observe: 'inside' },
  ),
  'VER-NEW-OPERATION': must(
    'An operation published after a client was built cannot be called by its name in that client.',
    'Versioning, client library and command line',
    { actor: 'library', observe: 'inside' },
  ),
} as const
