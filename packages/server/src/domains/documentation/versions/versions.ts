import {
  type DocumentationCause,
  type DocumentationVersion,
  type DocumentationVersionDetail,
  documentationKinds,
} from '@svc/contract';
import type { Tx } from '../../../platform/db/index.ts';
import { titles } from '../sections.ts';
import * as store from './store.ts';

/** Returns the number of lines that `other` lacks. Repeated lines count separately. */
function linesBeyond(text: string, other: string): number {
  const counts = new Map<string, number>();
  const linesOf = (lines: string) => (lines === '' ? [] : lines.split('\n'));
  for (const line of linesOf(other)) counts.set(line, (counts.get(line) ?? 0) + 1);
  let beyond = 0;
  for (const line of linesOf(text)) {
    const unmatched = counts.get(line) ?? 0;
    if (unmatched === 0) beyond += 1;
    else counts.set(line, unmatched - 1);
  }
  return beyond;
}

/** Creates a version of the sections that the transaction has changed. Creates none when no text changed. */
export async function recordVersion(
  tx: Tx,
  projectId: number,
  origin: { readonly cause: DocumentationCause; readonly userId: number | null },
): Promise<void> {
  await store.lockVersions(tx, projectId);
  const changed = await store.listChanged(tx, projectId);
  if (changed.length === 0) return;
  const sections = changed.map(({ previousContent, ...section }) => ({
    ...section,
    addedLines: linesBeyond(section.content, previousContent ?? ''),
    removedLines: linesBeyond(previousContent ?? '', section.content),
  }));
  await store.insertVersion(tx, projectId, origin, sections);
  await store.dropOldVersions(tx, projectId);
}

const inOrder = <C extends store.Change>(changes: readonly C[]) =>
  documentationKinds.flatMap((kind) =>
    changes.filter((change) => change.kind === kind).map((change) => ({ ...change, title: titles[kind] })),
  );

export const presentVersion = (row: store.VersionRow): DocumentationVersion => ({
  ...row,
  createdTime: row.createdTime.toISOString(),
  changes: inOrder(row.changes),
});

export const presentVersionDetail = (
  row: store.VersionRow<store.DetailedChange>,
): DocumentationVersionDetail => ({
  ...row,
  createdTime: row.createdTime.toISOString(),
  changes: inOrder(row.changes),
});
