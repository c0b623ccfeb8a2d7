import { constants } from 'node:sqlite';

/** SQLite's own functions that only compute. All others are refused, including functions of extensions. */
export const allowedFunctions: ReadonlySet<string> = new Set(
  `abs acos acosh asin asinh atan atan2 atanh avg bm25 ceil ceiling changes char coalesce concat concat_ws cos cosh
  count cume_dist current_date current_time current_timestamp date datetime degrees dense_rank exp first_value floor
  format fts5_source_id glob group_concat hex highlight if ifnull iif instr json json_array json_array_length
  json_array_insert json_each json_error_position json_extract json_group_array json_group_object json_insert
  json_object json_patch json_pretty json_quote json_remove json_replace json_set json_tree json_type json_valid jsonb
  jsonb_array jsonb_array_insert jsonb_extract jsonb_group_array jsonb_group_object jsonb_insert jsonb_object
  jsonb_patch jsonb_remove jsonb_replace jsonb_set julianday lag last_insert_rowid last_value lead length like
  likelihood likely ln log log10 log2 lower ltrim match matchinfo max median min mod nth_value ntile nullif
  octet_length offsets percent_rank percentile percentile_cont percentile_disc pi pow power printf quote radians random
  randomblob rank regexp replace round row_number rtrim sign sin sinh snippet soundex sqlite_source_id sqlite_version
  sqrt strftime string_agg substr substring subtype sum tan tanh time timediff total total_changes trim trunc typeof
  unhex unicode unistr unistr_quote unixepoch unlikely upper zeroblob -> ->>`.split(/\s+/),
);

export type Denial = { readonly what: 'function' | 'action'; readonly name: string };

/** Table and one of its columns. The column is empty if only rows are counted. */
export type ReadColumn = { readonly table: string; readonly column: string };

export type Authorizer = {
  readonly authorize: (action: number, first: string | null, second: string | null) => number;
  readonly denial: () => Denial | undefined;
  /** Columns that the statement reads, directly or through views. */
  readonly reads: () => readonly ReadColumn[];
  /** Runs a statement of the service, which may read the schema. */
  readonly unguarded: <Result>(run: () => Result) => Result;
};

/**
 * Creates the authorizer, which checks each action of a statement while it is prepared. Only reading and computing
 * are allowed. The last denial is retained for the message.
 */
export function createAuthorizer(): Authorizer {
  let denial: Denial | undefined;
  let isGuarded = true;
  const reads = new Map<string, ReadColumn>();
  function authorize(action: number, first: string | null, second: string | null): number {
    if (!isGuarded) return constants.SQLITE_OK;
    switch (action) {
      case constants.SQLITE_READ: {
        const read = { table: (first ?? '').toLowerCase(), column: (second ?? '').toLowerCase() };
        reads.set(`${read.table} ${read.column}`, read);
        return constants.SQLITE_OK;
      }
      case constants.SQLITE_SELECT:
      case constants.SQLITE_RECURSIVE:
        return constants.SQLITE_OK;
      case constants.SQLITE_FUNCTION:
        if (allowedFunctions.has((second ?? '').toLowerCase())) return constants.SQLITE_OK;
        denial = { what: 'function', name: second ?? '' };
        return constants.SQLITE_DENY;
      case constants.SQLITE_PRAGMA:
        // Full-text search runs this PRAGMA internally to validate its cache. It has no argument.
        if (first === 'data_version' && second === null) return constants.SQLITE_OK;
        denial = { what: 'action', name: `PRAGMA ${first ?? ''}` };
        return constants.SQLITE_DENY;
      default:
        denial = { what: 'action', name: actionNames.get(action) ?? `action ${action}` };
        return constants.SQLITE_DENY;
    }
  }
  return {
    authorize,
    denial: () => denial,
    reads: () => [...reads.values()],
    unguarded: (run) => {
      isGuarded = false;
      try {
        return run();
      } finally {
        isGuarded = true;
      }
    },
  };
}

const actionNames = new Map<number, string>([
  [constants.SQLITE_INSERT, 'INSERT'],
  [constants.SQLITE_UPDATE, 'UPDATE'],
  [constants.SQLITE_DELETE, 'DELETE'],
  [constants.SQLITE_ATTACH, 'ATTACH or VACUUM'],
  [constants.SQLITE_DETACH, 'DETACH'],
  [constants.SQLITE_TRANSACTION, 'a transaction statement'],
  [constants.SQLITE_SAVEPOINT, 'SAVEPOINT'],
  [constants.SQLITE_ALTER_TABLE, 'ALTER TABLE'],
  [constants.SQLITE_REINDEX, 'REINDEX'],
  [constants.SQLITE_ANALYZE, 'ANALYZE'],
]);
