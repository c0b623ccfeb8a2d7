import type { Tx } from '../../../platform/db/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { checkDefinition, type QueryDefinition } from '../definition.ts';
import { presentQuery } from '../present.ts';
import { isActiveDefinition } from '../version-store.ts';
import { lockLinkedSources } from './links.ts';
import {
  canonical,
  lockForSave,
  presentSaved,
  reasonOf,
  type SaveOrigin,
  type SaveResult,
  type SavesDeps,
  writeDefinition,
} from './write.ts';

/** New definition of a query, with the reason of the change. */
export type QueryUpdate = QueryDefinition & { readonly changeReason?: string | null };

/** Creates the function that saves a query. A save that changes the definition creates exactly one version. */
export const createUpdate =
  (deps: SavesDeps) =>
  async (
    tx: Tx,
    actor: CallerActor,
    id: number,
    input: QueryUpdate,
    { expectedVersion, ...by }: SaveOrigin & { readonly expectedVersion: number | undefined },
  ): Promise<SaveResult> => {
    const { rights, approvals } = deps;
    const row = await lockForSave(rights, tx, actor, id, expectedVersion);
    checkDefinition(input);
    const definition = canonical(input, row.steps);
    // A save without a change returns the stored query: no version, no new ETag, no event.
    if (await isActiveDefinition(tx, id, definition)) {
      await approvals.putBack(tx, actor, row);
      return { query: await presentSaved(tx, actor, id), isWaiting: false };
    }
    if (await approvals.isSubmitted(tx, actor.caller, id, definition))
      return { query: presentQuery(row, actor.caller, true), isWaiting: true };
    await lockLinkedSources(tx, row.projectId, definition);
    return writeDefinition(deps, tx, actor, row, definition, {
      event: 'queries.query_changed',
      source: by.source,
      reason: reasonOf(input.changeReason),
      isApproved: by.isApproved === true,
    });
  };
