import type { GlossaryTerm } from '@svc/contract';
import type { TermRow } from './store.ts';

const unlinked = 'The data source is not linked to the project any more.';
const gone = 'The metadata of the data source does not have the target any more.';

const reasonOf = ({ isBroken, isLinked, brokenReason }: TermRow): string | null => {
  if (!isBroken) return null;
  return isLinked ? (brokenReason ?? gone) : unlinked;
};

export const presentTerm = (row: TermRow): GlossaryTerm => ({
  id: row.id,
  projectId: row.projectId,
  projectName: row.projectName,
  dataSourceId: row.dataSourceId,
  dataSourceName: row.dataSourceName,
  term: row.term,
  synonyms: [...row.synonyms],
  definition: row.definition,
  target: row.target,
  metricExpression: row.metricExpression,
  isActive: row.isActive,
  isBroken: row.isBroken,
  brokenReason: reasonOf(row),
  checkedAt: row.checkedAt?.toISOString() ?? null,
  createdTime: row.createdTime.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  version: row.version,
});
