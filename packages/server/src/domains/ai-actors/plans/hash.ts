import type { SqlDialect } from '@svc/connectors';
import { sha256Hex } from '../../../platform/crypto/index.ts';
import type { Executor } from '../../../platform/db/index.ts';
import { namedTables } from '../../ask/index.ts';
import { findEngine } from '../../data-contracts/index.ts';
import { findMetadata } from '../../data-sources/index.ts';
import type { ActorRow } from '../store.ts';
import type { ActionDefinition } from '../thinking/actions.ts';

/** Returns the same text for equal values, regardless of the order of object members. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );

const statementsOf = (actions: readonly ActionDefinition[]): string[] =>
  actions.flatMap((action) =>
    action.type === 'CreateQuery' || action.type === 'RefineQuery' ? [action.sql] : [],
  );

/** Returns the metadata of the tables that the actions read. */
async function usedTables(
  executor: Executor,
  { projectId, dataSourceId }: Pick<ActorRow, 'projectId' | 'dataSourceId'>,
  actions: readonly ActionDefinition[],
  dialectOf: (engine: string) => SqlDialect,
): Promise<readonly unknown[]> {
  const metadata = await findMetadata(executor, dataSourceId);
  const engine = await findEngine(executor, projectId, dataSourceId);
  if (!metadata || engine === undefined) return [];
  const { tables } = metadata.snapshot;
  const names = new Set(tables.map(({ name }) => name.toLowerCase()));
  const dialect = dialectOf(engine);
  const read = new Set(statementsOf(actions).flatMap((sql) => [...namedTables(sql, dialect, names)]));
  const watched = actions.flatMap((action) =>
    action.type === 'CreateContract' ? [`${action.schemaName}.${action.tableName}`] : [],
  );
  return tables
    .filter(({ schema, name }) => read.has(name.toLowerCase()) || watched.includes(`${schema}.${name}`))
    .map(({ schema, name, columns, primaryKey }) => ({
      schema,
      name,
      primaryKey,
      columns: columns.map((column) => [column.name, column.databaseType]),
    }));
}

/** Returns the versions of the affected queries and subscriptions. Each change by a user changes one of these values. */
async function targets(
  executor: Executor,
  actions: readonly ActionDefinition[],
): Promise<readonly unknown[]> {
  const queryIds = actions.flatMap((action) =>
    'queryId' in action && action.queryId !== null ? [action.queryId] : [],
  );
  const subscriptionIds = actions.flatMap((action) =>
    action.type === 'ArchiveSubscription' ? [action.subscriptionId] : [],
  );
  const queries = await executor.query(
    `select q.id, q.active_version_id as version, q.name, q.archived_at is not null as gone, (select max(v.id)
       from svc.query_versions v where v.query_id = q.id and v.status = 'PendingApproval') as waiting
     from svc.queries q where q.id = any($1::int[]) order by q.id`,
    [queryIds],
  );
  const subscriptions = await executor.query(
    `select s.id, s.version, s.archived_at is not null as gone, s.snoozed_until as snoozed, array(
       select r.recipient_id from svc.subscription_recipients r where r.subscription_id = s.id order by 1) as told
     from svc.subscriptions s where s.id = any($1::int[]) order by s.id`,
    [subscriptionIds],
  );
  return [queries.rows, subscriptions.rows];
}

/** Returns recipients with their approved hashes and versions. Without the approval workflow the hash is null. */
async function recipients(executor: Executor, ids: readonly number[]): Promise<readonly unknown[]> {
  const { rows } = await executor.query(
    `select id, state, version, approved_hash as hash, archived_at is not null as gone from svc.recipients
     where id = any($1::int[]) order by id`,
    [ids],
  );
  return rows;
}

/** Returns a hash of the actions of a plan and of the current state that they were proved against. */
export async function planHashOf(
  executor: Executor,
  actor: Pick<ActorRow, 'id' | 'projectId' | 'dataSourceId' | 'defaultRecipientIds'>,
  actions: readonly ActionDefinition[],
  dialectOf: (engine: string) => SqlDialect,
): Promise<string> {
  const { id, projectId, dataSourceId, defaultRecipientIds } = actor;
  return sha256Hex(
    canonical([
      { id, projectId, dataSourceId },
      actions,
      await targets(executor, actions),
      await usedTables(executor, actor, actions, dialectOf),
      await recipients(executor, defaultRecipientIds),
    ]),
  );
}
