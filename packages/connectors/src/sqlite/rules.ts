import { sqliteDialect } from '../sql/dialects.ts';
import type { ReadOnlyRules } from '../sql/read-only-gate.ts';

/** Statements that SQLite accepts. The authorizer checks their functions against an allow-list. */
export const sqliteRules: ReadOnlyRules = {
  dialect: sqliteDialect,
  firstWords: new Set(['select', 'with', 'values', 'explain']),
  explainedWords: new Set(['select', 'with', 'values']),
  refusedFunctions: [],
};
