import type { JobState } from '@svc/jobs';
import { createValues, idBounds, type JobFilter, type Values } from './job-filter.ts';

/** Sort column of an index path, with its direction. */
type Key = readonly [column: string, direction?: 'desc'];

/**
 * Index path: an order of jobs that an index provides without a sort. A page continues after an `id`, or from a `time`
 * and a number of rows with that time. In queue order it continues after a number of rows (`place`), because queues
 * change constantly.
 */
export type Way = {
  /** Source of the rows, aliased `k`. */
  readonly table: (values: Values) => string;
  /** Conditions that the index covers. */
  readonly conditions: (values: Values) => readonly string[];
  readonly keys: readonly Key[];
  readonly goesOnBy: 'id' | 'time' | 'place';
  /** True when the conditions include state and queue. */
  readonly isExact: boolean;
  /** True when an index provides the order. Otherwise a limited number of rows is sorted. */
  readonly isOrdered: boolean;
};

/** Maximum number of listed jobs of one batch, trace or parent. */
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

/** Returns the index paths of ready jobs, in claim order. Jobs with a concurrency key have a separate index. */
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
      // With a single queue this key would have no effect, but would cause a sort.
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

/** Returns the path for members, continuations, spawned jobs or a trace: read from their index, then sorted. */
function familyWay(schema: string, filter: JobFilter): Way | null {
  const relations = (values: Values): string[] => [
    ...(filter.batchId === undefined ? [] : [`f.batch_id = ${values.add(filter.batchId)}::uuid`]),
    ...(filter.parentId === undefined ? [] : [`f.parent_id = ${values.add(filter.parentId)}::uuid`]),
    ...(filter.spawnedBy === undefined ? [] : [`f.spawned_by = ${values.add(filter.spawnedBy)}::uuid`]),
  ];
  const hasRelation = relations(createValues()).length > 0;
  if (!hasRelation && filter.traceId === undefined) return null;
  const familyQueries = (values: Values) => {
    if (hasRelation) return [`select f.* from ${schema}.job f where ${relations(values).join(' and ')}`];
    const trace = values.add(filter.traceId);
    return [
      `select f.* from ${schema}.job f where f.trace_id = ${trace}::uuid and f.trace_id <> f.id`,
      `select f.* from ${schema}.job f where f.id = ${trace}::uuid`,
    ];
  };
  return {
    table: (values) =>
      `(with found as materialized (${familyQueries(values).join(' union all ')} limit ${familyMax}) select * from found) k`,
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

/** Returns the path for completed jobs by expiry time, and therefore by end time, newest first. */
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
  // Not also by id: the index contains only the time.
  keys: [['due_at']],
  goesOnBy: 'time',
  isExact: false,
  isOrdered: true,
});

/** Returns the index paths for the jobs of a filter, in the order in which they are read. */
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

/** Returns true when the path reads only rows of the state. */
export const isHeldBy = (way: Way, state: JobState): boolean => way.isExact || rareStates.includes(state);

/** Returns an `order by` list of the keys of a path. */
export const orderOf = (way: Way, alias: string): string =>
  way.keys.map(([column, direction]) => `${alias}.${column}${direction ? ' desc' : ''}`).join(', ');
