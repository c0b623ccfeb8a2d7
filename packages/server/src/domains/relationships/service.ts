import type { Metadata } from '@svc/connectors';
import type {
  Cardinality,
  ListQuery,
  Page,
  Relationship,
  RelationshipOrigin,
  RelationshipProposal,
  SchemaHealth,
} from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Database, Executor, Tx } from '../../platform/db/index.ts';
import {
  brokenRule,
  conflict,
  type MemberError,
  notFound,
  pageOf,
  pageRequest,
} from '../../platform/http/index.ts';
import { mayMatch } from '../../platform/sql-types/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { findMetadata, requireInProject } from '../data-sources/index.ts';
import { assertVersion, includesRight, rightOfLevel } from '../projects/index.ts';
import type { RelationshipCheck } from './check.ts';
import { healthOf, listedMax } from './health.ts';
import { proposalsFor } from './infer.ts';
import { presentProposal, presentRelationship } from './present.ts';
import { cardinalityOf, declaredIn, labelOf, type Schema, schemaOf } from './schema.ts';
import * as store from './store.ts';
import { type Ends, keyOfEnds, type Proposal, type StoredRelationship } from './types.ts';

export type RelationshipsDeps = {
  readonly database: Database;
  readonly audit: Audit;
  /** Counts checked and missing values of a relationship in the source, through the run-SQL gateway. */
  readonly check: (
    caller: Caller,
    dataSourceId: number,
    ends: Ends,
    signal: AbortSignal,
  ) => Promise<RelationshipCheck>;
  /** Returns queries that the caller can read and the engine can no longer plan. */
  readonly brokenQueries: (
    caller: Caller,
    dataSourceId: number,
    limit: number,
  ) => Promise<SchemaHealth['brokenQueries']>;
};

export type NewRelationshipInput = Ends & {
  readonly label?: string | undefined;
  readonly cardinality?: Cardinality | undefined;
};

export type RelationshipsService = ReturnType<typeof createRelationshipsService>;

/** Updates the declared keys to match a snapshot, in the transaction that stores the snapshot. */
export const syncRelationships = (tx: Tx, dataSourceId: number, metadata: Metadata): Promise<void> =>
  store.syncDeclared(tx, dataSourceId, declaredIn(schemaOf(metadata)));

/** Returns true for callers who may verify relationships. An API key may not, because it manages no project. */
const mayCurate = ({ right_level: level }: { readonly right_level: number }): boolean =>
  includesRight(rightOfLevel(level), 'Manage');

const noSchema = schemaOf({ tables: [] });

/** Creates the service for relationships between tables of data sources, and for the health of their schemas. */
export function createRelationshipsService({ database, audit, check, brokenQueries }: RelationshipsDeps) {
  const snapshotOf = async (executor: Executor, id: number): Promise<{ schema: Schema; at: Date | null }> => {
    const stored = await findMetadata(executor, id);
    return stored
      ? { schema: schemaOf(stored.snapshot), at: stored.refreshed_at }
      : { schema: noSchema, at: null };
  };

  const find = async (
    executor: Executor,
    dataSourceId: number,
    id: number,
    options: { readonly forUpdate?: boolean } = {},
  ): Promise<StoredRelationship> => {
    const relationship = await store.findRelationship(executor, dataSourceId, id, options);
    if (!relationship) throw notFound();
    return relationship;
  };

  const proposals = async (executor: Executor, dataSourceId: number): Promise<Proposal[]> => {
    const { schema } = await snapshotOf(executor, dataSourceId);
    const knownKeys = new Set((await store.knownEnds(executor, dataSourceId)).map(keyOfEnds));
    return proposalsFor(schema).filter((proposal) => !knownKeys.has(keyOfEnds(proposal)));
  };

  return {
    list: async (
      caller: Caller,
      dataSourceId: number,
      query: ListQuery & {
        search?: string;
        origin?: RelationshipOrigin;
        isVerified?: boolean;
        table?: string;
      },
    ): Promise<Page<Relationship>> => {
      await requireInProject(database, caller, dataSourceId, 'Read');
      const page = pageRequest(query, {
        sortable: store.relationshipSortable,
        byDefault: 'sourceTable',
        unique: 'r.id',
      });
      const filter = {
        search: query.search || null,
        origin: query.origin ?? null,
        isVerified: query.isVerified ?? null,
        table: query.table || null,
      };
      const { rows, total } = await store.listRelationships(database, dataSourceId, filter, page);
      return pageOf(rows.map(presentRelationship), total, page);
    },

    create: async (
      by: CallerActor,
      dataSourceId: number,
      input: NewRelationshipInput,
    ): Promise<Relationship> =>
      database.transaction(async (tx) => {
        const place = await requireInProject(tx, by.caller, dataSourceId, 'Write');
        const { schema } = await snapshotOf(tx, dataSourceId);
        const errors = faultsOf(schema, input);
        if (errors.length > 0) throw brokenRule('invalid-relationship', errors[0]?.message ?? '', errors);
        const { source, target } = input;
        const table = schema.find(source.schema, source.table);
        const [id] = await store.insertRelationships(tx, dataSourceId, [
          {
            source,
            target,
            origin: 'Manual',
            confidence: 1,
            isVerified: mayCurate(place),
            label: input.label?.trim() ?? labelOf(source),
            cardinality: input.cardinality ?? (table ? cardinalityOf(table, source.columns) : 'Unknown'),
            createdByUserId: by.caller.userId,
          },
        ]);
        if (id === undefined)
          throw conflict(
            'relationship-exists',
            'There is a relationship between these columns already, or there was one that somebody deleted.',
          );
        return presentRelationship(await find(tx, dataSourceId, id));
      }),

    change: async (
      caller: Caller,
      dataSourceId: number,
      id: number,
      change: { label?: string; cardinality?: Cardinality },
      expectedVersion: number | undefined,
    ): Promise<Relationship> =>
      database.transaction(async (tx) => {
        const place = await requireInProject(tx, caller, dataSourceId, 'Write');
        const before = await find(tx, dataSourceId, id, { forUpdate: true });
        assertVersion(before.version, expectedVersion);
        const { cardinality = before.cardinality } = change;
        await store.updateRelationship(tx, id, {
          cardinality,
          label: change.label?.trim(),
          removesMark: cardinality !== before.cardinality && !mayCurate(place),
        });
        return presentRelationship(await find(tx, dataSourceId, id));
      }),

    verify: async (
      by: CallerActor,
      dataSourceId: number,
      id: number,
      isVerified: boolean,
    ): Promise<Relationship> =>
      database.transaction(async (tx) => {
        await requireInProject(tx, by.caller, dataSourceId, 'Manage');
        const { origin, verifiedAt } = await find(tx, dataSourceId, id, { forUpdate: true });
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
        return presentRelationship(await find(tx, dataSourceId, id));
      }),

    delete: async (
      caller: Caller,
      dataSourceId: number,
      id: number,
      expectedVersion: number | undefined,
    ): Promise<void> =>
      database.transaction(async (tx) => {
        await requireInProject(tx, caller, dataSourceId, 'Write');
        const before = await find(tx, dataSourceId, id, { forUpdate: true });
        assertVersion(before.version, expectedVersion);
        await store.archiveRelationship(tx, id);
      }),

    discover: async (
      caller: Caller,
      dataSourceId: number,
    ): Promise<{ proposals: RelationshipProposal[] }> => {
      await requireInProject(database, caller, dataSourceId, 'Read');
      return { proposals: (await proposals(database, dataSourceId)).map(presentProposal) };
    },

    accept: async (
      caller: Caller,
      dataSourceId: number,
      accepted: readonly Ends[],
    ): Promise<{ items: Relationship[] }> =>
      database.transaction(async (tx) => {
        await requireInProject(tx, caller, dataSourceId, 'Write');
        const byEnds = new Map((await proposals(tx, dataSourceId)).map((one) => [keyOfEnds(one), one]));
        const acceptedProposals = [...new Set(accepted.map(keyOfEnds))].map((key) => byEnds.get(key));
        const isEachProposed = (all: typeof acceptedProposals): all is Proposal[] => !all.includes(undefined);
        if (!isEachProposed(acceptedProposals))
          throw brokenRule(
            'relationship-not-proposed',
            'One of these is not proposed, or not any more: ask for the proposals again.',
          );
        const ids = await store.insertRelationships(
          tx,
          dataSourceId,
          acceptedProposals.map((one) => ({
            source: one.source,
            target: one.target,
            label: one.label,
            cardinality: one.cardinality,
            confidence: one.confidence,
            origin: 'Inferred',
            isVerified: false,
            createdByUserId: caller.userId,
          })),
        );
        const items: Relationship[] = [];
        for (const id of ids) items.push(presentRelationship(await find(tx, dataSourceId, id)));
        return { items };
      }),

    check: async (
      caller: Caller,
      dataSourceId: number,
      id: number,
      signal: AbortSignal,
    ): Promise<RelationshipCheck> => {
      await requireInProject(database, caller, dataSourceId, 'Read');
      return check(caller, dataSourceId, await find(database, dataSourceId, id), signal);
    },

    health: async (caller: Caller, dataSourceId: number): Promise<SchemaHealth> => {
      await requireInProject(database, caller, dataSourceId, 'Read');
      const { schema, at } = await snapshotOf(database, dataSourceId);
      const activeEnds = (await store.knownEnds(database, dataSourceId)).filter(
        ({ isArchived }) => !isArchived,
      );
      return {
        dataSourceId,
        refreshedAt: at?.toISOString() ?? null,
        ...healthOf(schema, activeEnds),
        brokenQueries: await brokenQueries(caller, dataSourceId, listedMax),
      };
    },
  };
}

/** Returns the faults of the ends, by member. */
function faultsOf(schema: Schema, { source, target }: Ends): MemberError[] {
  const faults: MemberError[] = [];
  for (const [side, end] of [
    ['source', source],
    ['target', target],
  ] as const) {
    const table = schema.find(end.schema, end.table);
    if (!table)
      faults.push({
        path: `/${side}/table`,
        message: 'is not in the metadata of the data source; refresh it first',
      });
    else
      end.columns.forEach((column, at) => {
        if (!table.columns.some(({ name }) => name === column))
          faults.push({ path: `/${side}/columns/${at}`, message: 'is no column of this table' });
        else if (end.columns.indexOf(column) !== at)
          faults.push({ path: `/${side}/columns/${at}`, message: 'stands there twice' });
      });
  }
  if (source.columns.length !== target.columns.length)
    faults.push({ path: '/target/columns', message: 'must be as many as those of the source' });
  if (faults.length > 0) return faults;
  const typeOf = (end: Ends['source'], at: number): string =>
    schema.find(end.schema, end.table)?.columns.find(({ name }) => name === end.columns[at])?.databaseType ??
    '';
  return source.columns.flatMap((_column, at) =>
    mayMatch(typeOf(source, at), typeOf(target, at))
      ? []
      : [
          {
            path: `/target/columns/${at}`,
            message: `is ${typeOf(target, at)}, which cannot be compared with ${typeOf(source, at)}`,
          },
        ],
  );
}
