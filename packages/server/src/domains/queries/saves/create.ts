import type { Tx } from '../../../platform/db/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { checkDefinition, type QueryDefinition } from '../definition.ts';
import { requireFolder } from '../folder.ts';
import { insertQuery } from '../store.ts';
import { lockLinkedSources } from './links.ts';
import { canonical, type SaveOrigin, type SaveResult, type SavesDeps, writeDefinition } from './write.ts';

/** Definition of a new query, with its project and folder. */
export type NewQuery = QueryDefinition & { readonly projectId: number; readonly folderId?: number | null };

/** Creates the function that creates a query with its first version. */
export const createCreate =
  (deps: SavesDeps) =>
  async (
    tx: Tx,
    actor: CallerActor,
    input: NewQuery,
    by: SaveOrigin = { source: 'User' },
  ): Promise<SaveResult> => {
    const { projectId, folderId = null } = input;
    await deps.rights.require(tx, actor.caller, projectId, 'Write');
    checkDefinition(input);
    const definition = canonical(input, []);
    await lockLinkedSources(tx, projectId, definition);
    if (folderId !== null) await requireFolder(tx, projectId, folderId, '/folderId');
    const id = await insertQuery(tx, projectId, { ...definition, folderId }, actor.caller);
    return writeDefinition(deps, tx, actor, { id, projectId, activeVersionId: null }, definition, {
      event: 'queries.query_created',
      source: by.source,
      reason: null,
      isApproved: by.isApproved === true,
    });
  };
