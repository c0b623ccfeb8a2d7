import type { Cardinality, Relationship } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import { conflict } from '../../platform/http/index.ts';
import type { CallerActor } from '../audit/index.ts';
import { requireInProject } from '../data-sources/index.ts';
import { assertVersion } from '../projects/index.ts';
import { mayCurate } from './curation.ts';
import type { RelationshipsDeps } from './deps.ts';
import { presentRelationship } from './present.ts';
import { requireRelationship } from './read.ts';
import * as store from './store.ts';

type Deps = Pick<RelationshipsDeps, 'database'>;

/** Changes label and cardinality. A changed cardinality removes the mark of verification, unless the caller may verify. */
export const createChange =
  ({ database }: Deps) =>
  (
    caller: Caller,
    dataSourceId: number,
    id: number,
    change: { label?: string; cardinality?: Cardinality },
    expectedVersion: number | undefined,
  ): Promise<Relationship> =>
    database.transaction(async (tx) => {
      const dataSource = await requireInProject(tx, caller, dataSourceId, 'Write');
      const before = await requireRelationship(tx, dataSourceId, id, { forUpdate: true });
      assertVersion(before.version, expectedVersion);
      const { cardinality = before.cardinality } = change;
      await store.updateRelationship(tx, id, {
        cardinality,
        label: change.label?.trim(),
        removesMark: cardinality !== before.cardinality && !mayCurate(dataSource),
      });
      return presentRelationship(await requireRelationship(tx, dataSourceId, id));
    });

/** Sets or removes the mark of verification. */
export const createVerify =
  ({ database, audit }: Pick<RelationshipsDeps, 'database' | 'audit'>) =>
  (by: CallerActor, dataSourceId: number, id: number, isVerified: boolean): Promise<Relationship> =>
    database.transaction(async (tx) => {
      await requireInProject(tx, by.caller, dataSourceId, 'Manage');
      const { origin, verifiedAt } = await requireRelationship(tx, dataSourceId, id, { forUpdate: true });
      if (origin === 'ForeignKey')
        throw conflict('relationship-declared', 'The database declares this key: it needs nobody’s word.');
      if ((verifiedAt !== null) !== isVerified) {
        await store.setVerified(tx, id, isVerified ? { userId: by.caller.userId } : null);
        await audit.record(tx, {
          event: 'data_sources.relationship_verified',
          by,
          subject: { kind: 'data_source', id: dataSourceId },
          detail: { relationshipId: id, isVerified },
        });
      }
      return presentRelationship(await requireRelationship(tx, dataSourceId, id));
    });

export const createDelete =
  ({ database }: Deps) =>
  (caller: Caller, dataSourceId: number, id: number, expectedVersion: number | undefined): Promise<void> =>
    database.transaction(async (tx) => {
      await requireInProject(tx, caller, dataSourceId, 'Write');
      const before = await requireRelationship(tx, dataSourceId, id, { forUpdate: true });
      assertVersion(before.version, expectedVersion);
      await store.archiveRelationship(tx, id);
    });
