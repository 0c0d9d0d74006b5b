import { must, stated } from '../../clause.ts'

export const versioningClauses = {
  'VER-PREFIX': must(
    'Chat and operation routes are served under `/api/v1`.',
    stated('Versioning, first row', 'current chat and operation routes sit under the path prefix `/api/v1`'),
  ),
  'VER-EMBEDDED': must(
    'Library and command line carry the versioned contracts they were built with.',
    stated(
      'Versioning, client library and command line',
      'embed the versioned contracts they were built with',
      { actor: 'library', observe: 'inside' },
    ),
  ),
  'VER-SERVER-FIX': must(
    'A fix on the server to an operation that exists needs no new client.',
    stated(
      'Versioning, client library and command line',
      'Server-side fixes to an existing operation need no client update',
      { observe: 'inside' },
    ),
  ),
  'VER-NEW-OPERATION': must(
    'An operation published after a client was built cannot be called by its name in that client.',
    stated(
      'Versioning, client library and command line',
      'needs a newer client before it can be called locally',
      { actor: 'library', observe: 'inside' },
    ),
  ),
} as const
