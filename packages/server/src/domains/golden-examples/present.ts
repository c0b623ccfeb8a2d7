import type { GoldenExample } from '@svc/contract';
import type { GoldenRow } from './store.ts';

const unlinked = 'The data source is not linked to the project any more.';

export const presentGolden = (row: GoldenRow): GoldenExample => {
  const brokenReason = row.isLinked ? row.brokenReason : unlinked;
  return {
    id: row.id,
    projectId: row.projectId,
    projectName: row.projectName,
    dataSourceId: row.dataSourceId,
    dataSourceName: row.dataSourceName,
    question: row.question,
    expected: row.expected,
    sql: row.sql,
    notes: row.notes,
    isActive: row.isActive,
    isBroken: brokenReason !== null,
    brokenReason,
    checkedAt: row.checkedAt?.toISOString() ?? null,
    createdTime: row.createdTime.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    version: row.version,
  };
};
