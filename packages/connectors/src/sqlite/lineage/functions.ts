import type { FunctionColumn, FunctionFacts } from '../../postgresql/lineage/functions.ts';
import { allowedFunctions } from '../authorizer.ts';

const names = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const valueless = names(`
  count rank dense_rank row_number ntile percent_rank cume_dist typeof like glob regexp match json_valid json_type
  json_error_position random changes total_changes last_insert_rowid sqlite_version sqlite_source_id`);

/** Columns of `json_each` and `json_tree`: names and paths of members, and their values. */
const memberColumns: readonly FunctionColumn[] = [
  ...['key', 'type', 'id', 'parent', 'fullkey', 'path'].map((name) => ({ name, value: () => none })),
  ...['value', 'atom'].map((name) => ({
    name,
    value: (call: Parameters<FunctionColumn['value']>[0]) =>
      ({ kind: 'unknown', why: 'the members of a document', parts: [call] }) as const,
  })),
];
const none = { kind: 'none' } as const;

/** Facts about SQLite's functions. The authorizer refuses all others. */
export const sqliteFacts: FunctionFacts = {
  valueless,
  pure: allowedFunctions,
  spreading: new Set(),
  oneColumn: new Map(),
  tables: new Map([
    ['json_each', memberColumns],
    ['json_tree', memberColumns],
  ]),
  statementTexts: new Map(),
  truthOperators: names('= == <> != < > <= >='),
  memberOperators: names('-> ->>'),
};
