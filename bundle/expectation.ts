/**
 * What a failed check expected of a response, as data that a script can test. `Ref` names another exchange of the
 * run: its id in a record, its step in a replay file.
 */
export type Expectation<Ref = number> =
  | { status: readonly [least: number, most: number] }
  /** Null: there is no such header. `part`: the value contains this. */
  | { header: string; is: string | null; part?: true }
  /** A final field of a reply, or a member of a refusal, has this type. */
  | { field: string; type: FieldType }
  /** A final field equals that of another reply, or differs from it. */
  | { field: string; sameAs: Ref }
  | { field: string; unlike: Ref }
  /** A text of the JSON body contains this code. */
  | { code: string }
  | { event: string; times: number }
  /** No turn ran: the status is not 200, or the replay header is set. */
  | { turn: 'none' }
  /** At most one turn ran among this response and these. */
  | { oneRunWith: readonly Ref[] }

export type FieldType = 'string' | 'filled string' | 'number' | 'object' | 'absent'
