import { conflict } from '../../../platform/http/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { holdSources } from '../approval.ts';
import { checkDefinition } from '../definition.ts';
import { isActiveDefinition, type VersionDefinition } from '../version-store.ts';
import {
  lockForSave,
  presentSaved,
  reasonOf,
  type SaveResult,
  type SavesDeps,
  writeDefinition,
} from './write.ts';

/** Old version that becomes the active definition again. */
export type RestoredVersion = {
  readonly queryId: number;
  readonly versionId: number;
  readonly versionNumber: number;
  readonly definition: VersionDefinition;
};

/**
 * Creates the function that makes an old version the active definition again. All checks of a save apply. Restoring the
 * active definition withdraws the caller's waiting change.
 *
 * The function throws the refusal `already-active` when the active definition is the same, and `source-not-linked` when
 * one of its data sources is no longer linked to the project.
 */
export const createRestore =
  (deps: SavesDeps) =>
  (
    actor: CallerActor,
    { queryId, versionId, versionNumber, definition }: RestoredVersion,
    changeReason: string | null | undefined,
    expectedVersion: number | undefined,
  ): Promise<SaveResult> =>
    deps.database.transaction(async (tx) => {
      const row = await lockForSave(deps.rights, tx, actor, queryId, expectedVersion);
      checkDefinition(definition);
      if (await isActiveDefinition(tx, queryId, definition)) {
        if (await deps.approvals.putBack(tx, actor, row))
          return { query: await presentSaved(tx, actor, queryId), isWaiting: false };
        throw conflict('already-active', 'The query says already what this version says.');
      }
      await holdSources(tx, row.projectId, definition);
      return writeDefinition(deps, tx, actor, row, definition, {
        event: 'queries.query_restored',
        detail: { versionNumber },
        source: 'Restore',
        restoredFromId: versionId,
        reason: reasonOf(changeReason),
      });
    });
