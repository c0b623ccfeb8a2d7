import type { DocumentationPatch, ListQuery, Page, PatchState } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import { conflict, notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { appendToSection } from '../documentation/index.ts';
import { reachOf, requireRight } from '../projects/index.ts';
import * as store from './patch-store.ts';
import { presentPatch } from './present.ts';

export type PatchesService = ReturnType<typeof createPatchesService>;

/**
 * Creates the service for proposed additions to the documentation. Callers with write access to the project decide
 * about them.
 */
export function createPatchesService({
  database,
  audit,
}: {
  readonly database: Database;
  readonly audit: Audit;
}) {
  const requirePatch = async (tx: Tx, caller: Caller, id: number): Promise<store.PatchRow> => {
    const patch = await store.findPatch(tx, reachOf(caller), id, { forUpdate: true });
    if (!patch) throw notFound();
    return patch;
  };

  /** Locks a proposed patch, checks write access to its project and decides it. */
  const decide = (
    by: CallerActor,
    id: number,
    state: 'Applied' | 'Rejected',
    act: (tx: Tx, patch: store.PatchRow) => Promise<void>,
  ): Promise<DocumentationPatch> =>
    database.transaction(async (tx) => {
      const patch = await requirePatch(tx, by.caller, id);
      const { projectId } = patch;
      await requireRight(tx, by.caller, projectId, 'Write');
      if (patch.state !== 'Proposed') throw conflict('patch-decided', 'The patch does not wait any more.');
      await act(tx, patch);
      await store.decidePatch(tx, id, state, by.caller.userId);
      const event = state === 'Applied' ? 'learning.patch_applied' : 'learning.patch_rejected';
      await audit.record(tx, { event, by, subject: { kind: 'documentation_patch', id }, projectId });
      return presentPatch(await requirePatch(tx, by.caller, id));
    });

  return {
    list: async (
      caller: Caller,
      query: ListQuery & { readonly projectId?: number; readonly state?: PatchState },
    ): Promise<Page<DocumentationPatch>> => {
      const page = pageRequest(query, {
        sortable: store.patchSortable,
        byDefault: '-supportingSignalCount',
        unique: 'c.id',
      });
      const filter = { projectId: query.projectId ?? null, state: query.state ?? null };
      const { rows, totalCount } = await store.listPatches(database, reachOf(caller), filter, page);
      return pageOf(rows.map(presentPatch), totalCount, page);
    },

    apply: (by: CallerActor, id: number, sectionVersion: number): Promise<DocumentationPatch> =>
      decide(by, id, 'Applied', (tx, { projectId, section, proposedContent }) =>
        appendToSection(tx, projectId, section, {
          content: proposedContent,
          userId: by.caller.userId,
          expectedVersion: sectionVersion,
        }),
      ),

    reject: (by: CallerActor, id: number): Promise<DocumentationPatch> =>
      decide(by, id, 'Rejected', async () => undefined),
  };
}
