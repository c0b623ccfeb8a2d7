import type { GlossaryTerm } from '@svc/contract';
import type { TermRow } from './store.ts';

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
  isActive: row.isActive,
  isBroken: row.isBroken,
  createdTime: row.createdTime.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  version: row.version,
});
