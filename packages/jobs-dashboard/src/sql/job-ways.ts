import type { JobState } from '@svc/jobs';
import { createValues, idBounds, type JobFilter, type Values } from './job-filter.ts';

/** Columns of the table that a way is ordered by, with their direction. */
type Key = readonly [column: string, direction?: 'desc'];

/**
 * A way through the jobs that an index gives, without sorting. A page goes on after an `id`, from a `time` (and so
 * many rows of the same time), or after so many rows (`place`), since what waits in a queue moves on anyway.
 */
export type Way = {
  /** What rows come from, aliased `k`. */
  readonly table: (values: Values) => string;
  /** What the index answers. */
  readonly conditions: (values: Values) => readonly string[];
  readonly keys: readonly Key[];
  readonly goesOnBy: 'id' | 'time' | 'place';
  /** Whether the conditions hold state and queue already. */
  readonly isExact: boolean;
  /** Whether an index gives the order; few rows are sorted. */
  readonly isOrdered: boolean;
};

/** Jobs of one batch, trace or parent that are listed. */
const familyMax = 10_000;
const rareStates: readonly JobState[] = ['Processing', 'Failed', 'Cancelled', 'AwaitingParent'];
const newestFirst: readonly Key[] = [['id', 'desc']];

function idConditions(filter: JobFilter, values: Values): string[] {
  const { from, until } = idBounds(filter);
  return [
    ...(from === null ? [] : [`k.id >= ${values.add(from)}::uuid`]),
    ...(until === null ? [] : [`k.id <= ${values.add(until)}::uuid`]),
  ];
}

const queueCondition = (filter: JobFilter, values: Values): string[] =>
  filter.queue === undefined ? [] : [`k.queue = ${values.add(filter.queue)}`];

/** What waits in queues, in the order in which it is taken. Jobs with a concurrency key have an index of their own. */
function readyWays(schema: string, filter: JobFilter): Way[] {
  const way = (isKeyed: boolean): Way => ({
    table: () => `${schema}.job k`,
    conditions: (values) => [
      `k.state = 'Enqueued'`,
      `k.concurrency_key is ${isKeyed ? 'not null' : 'null'}`,
      ...queueCondition(filter, values),
      ...idConditions(filter, values),
    ],
    keys: [
      // One queue alone is no order: saying it would cost a sort.
      ...(filter.queue === undefined ? ([['queue']] as const) : []),
      ...(isKeyed ? ([['concurrency_key']] as const) : []),
      ['priority', 'desc'],
      ['due_at'],
      ['id'],
    ],
    goesOnBy: 'place',
    isExact: true,
    isOrdered: true,
  });
  return [way(false), way(true)];
}

/** Members, continuations, spawned jobs or a trace: found by their own index first, then put in order. */
function familyWay(schema: string, filter: JobFilter): Way | null {
  const relations = (values: Values): string[] => [
    ...(filter.batchId === undefined ? [] : [`f.batch_id = ${values.add(filter.batchId)}::uuid`]),
    ...(filter.parentId === undefined ? [] : [`f.parent_id = ${values.add(filter.parentId)}::uuid`]),
    ...(filter.spawnedBy === undefined ? [] : [`f.spawned_by = ${values.add(filter.spawnedBy)}::uuid`]),
  ];
  const hasRelation = relations(createValues()).length > 0;
  if (!hasRelation && filter.traceId === undefined) return null;
  const found = (values: Values) => {
    if (hasRelation) return [`select f.* from ${schema}.job f where ${relations(values).join(' and ')}`];
    const trace = values.add(filter.traceId);
    return [
      `select f.* from ${schema}.job f where f.trace_id = ${trace}::uuid and f.trace_id <> f.id`,
      `select f.* from ${schema}.job f where f.id = ${trace}::uuid`,
    ];
  };
  return {
    table: (values) =>
      `(with found as materialized (${found(values).join(' union all ')} limit ${familyMax}) select * from found) k`,
    conditions: (values) => [
      ...(filter.state === undefined ? [] : [`k.state::text = ${values.add(filter.state)}`]),
      ...(hasRelation && filter.traceId !== undefined
        ? [`k.trace_id = ${values.add(filter.traceId)}::uuid`]
        : []),
      ...queueCondition(filter, values),
      ...idConditions(filter, values),
    ],
    keys: newestFirst,
    goesOnBy: 'place',
    isExact: true,
    isOrdered: false,
  };
}

/** Completed jobs by the time of their removal, which is that of their end: the last to end come first. */
const expiringWay = (schema: string): Way => ({
  table: () => `${schema}.job k`,
  conditions: () => ['k.expire_at is not null'],
  keys: [['expire_at', 'desc']],
  goesOnBy: 'time',
  isExact: false,
  isOrdered: true,
});

function newestWay(schema: string, filter: JobFilter, more: readonly string[] = []): Way {
  return {
    table: () => `${schema}.job k`,
    conditions: (values) => [
      ...(filter.state !== undefined && rareStates.includes(filter.state)
        ? [`k.state = '${filter.state}'`]
        : []),
      ...idConditions(filter, values),
      ...more,
    ],
    keys: newestFirst,
    goesOnBy: 'id',
    isExact: false,
    isOrdered: true,
  };
}

const dueWay = (schema: string, filter: JobFilter): Way => ({
  table: () => `${schema}.job k`,
  conditions: (values) => [`k.state in ('Scheduled', 'AwaitingRetry')`, ...idConditions(filter, values)],
  // Not by id as well: the index holds the time alone.
  keys: [['due_at']],
  goesOnBy: 'time',
  isExact: false,
  isOrdered: true,
});

/** The ways that lead to the jobs of a filter, in the order in which they are gone. */
export function waysOf(schema: string, filter: JobFilter, isSearch: boolean): readonly Way[] {
  const family = familyWay(schema, filter);
  if (family) return [family];
  if (filter.state === 'Enqueued') return readyWays(schema, filter);
  if (filter.state === 'Scheduled' || filter.state === 'AwaitingRetry') return [dueWay(schema, filter)];
  const hasBounds = Object.values(idBounds(filter)).some((bound) => bound !== null);
  if (filter.state === 'Completed' && !isSearch && !hasBounds) {
    return [expiringWay(schema), newestWay(schema, filter, ['k.expire_at is null'])];
  }
  return [newestWay(schema, filter)];
}

/** Whether the way finds rows of the state without looking at others. */
export const isHeldBy = (way: Way, state: JobState): boolean => way.isExact || rareStates.includes(state);

/** An `order by` over the keys of a way. */
export const orderOf = (way: Way, alias: string): string =>
  way.keys.map(([column, direction]) => `${alias}.${column}${direction ? ' desc' : ''}`).join(', ');
