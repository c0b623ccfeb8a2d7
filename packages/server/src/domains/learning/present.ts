import type { DocumentationPatch, LearnedPattern } from '@svc/contract';
import { patternText } from './mining/pattern.ts';
import type { PatchRow } from './patch-store.ts';
import type { PatternRow } from './pattern-store.ts';

const writesFrom = 2;

export const presentPattern = (row: PatternRow): LearnedPattern => ({
  id: row.id,
  projectId: row.projectId,
  projectName: row.projectName,
  dataSourceId: row.dataSourceId,
  dataSourceName: row.dataSourceName,
  kind: row.kind,
  table: row.table,
  column: row.column,
  text: patternText(row),
  statement: row.content.kind === 'CommonQuery' ? row.content.statement : null,
  signalCount: row.signalCount,
  callerCount: row.callerCount,
  state: row.state,
  decidedByUserName: row.decidedByUserName,
  decidedAt: row.decidedAt?.toISOString() ?? null,
  replay: row.replay,
  canDecide: row.rightLevel >= writesFrom,
  createdTime: row.createdTime.toISOString(),
  lastRefreshedAt: row.refreshedAt.toISOString(),
});

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

export const presentPatch = (row: PatchRow): DocumentationPatch => ({
  id: row.id,
  projectId: row.projectId,
  projectName: row.projectName,
  dataSourceId: row.dataSourceId,
  patternId: row.patternId,
  section: row.section,
  table: row.table,
  currentContent: row.currentContent,
  currentVersion: row.currentVersion,
  proposedContent: row.proposedContent,
  reasoning: `${patternText(row)} Seen in ${counted(row.signalCount, 'statement')} of ${counted(row.callerCount, 'caller')}.`,
  supportingSignalCount: row.signalCount,
  state: row.state,
  decidedByUserName: row.decidedByUserName,
  decidedAt: row.decidedAt?.toISOString() ?? null,
  canDecide: row.rightLevel >= writesFrom,
  createdTime: row.createdTime.toISOString(),
});
