import type { Tx } from '../../../platform/db/index.ts';
import { requireLinked } from '../reach.ts';
import { lockLinks } from '../store.ts';
import type { VersionDefinition } from '../version-store.ts';

/**
 * Requires that the data sources of a definition are linked to the project, and locks the links. Waits for a concurrent
 * removal of a link or archiving of a source.
 */
export async function lockLinkedSources(
  tx: Tx,
  projectId: number,
  { steps }: VersionDefinition,
): Promise<void> {
  await lockLinks(
    tx,
    projectId,
    steps.map((step) => step.dataSourceId),
  );
  await requireLinked(tx, projectId, steps);
}
