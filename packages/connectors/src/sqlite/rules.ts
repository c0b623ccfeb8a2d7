import { sqliteDialect } from '../sql/dialects.ts';
import type { ReadOnlyRules } from '../sql/read-only-gate.ts';

/** What SQLite may be asked; which functions it may call is decided by the authorizer, from an allow-list. */
export const sqliteRules: ReadOnlyRules = {
  dialect: sqliteDialect,
  firstWords: new Set(['select', 'with', 'values', 'explain']),
  explainedWords: new Set(['select', 'with', 'values']),
  refusedFunctions: [],
};
