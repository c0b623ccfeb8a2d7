import type { Db } from '../db.ts';
import { invalid } from '../problem.ts';
import { itemColumns, type JobItem } from './job-columns.ts';
import { createValues, type JobFilter, plainConditions, type Values } from './job-filter.ts';
import { isHeldBy, orderOf, type Way, waysOf } from './job-ways.ts';

/** Page of jobs. */
export type FoundJobs = {
  readonly items: readonly JobItem[];
  /** Cursor of the next page; null when all rows were read. */
  readonly nextCursor: string | null;
  /** True when the page is incomplete because a response reads a limited number of rows. `nextCursor` continues the search. */
  readonly isCutShort: boolean;
  /** Creation time of the last job read; null when all jobs were read. */
  readonly lookedBackTo: Date | null;
};

/**
 * Maximum number of rows that one response reads, so that it is fast for any number of stored jobs. Higher for reads in
 * table order than for reads that fetch each row separately.
 */
const windowMax: Readonly<Record<Way['goesOnBy'], number>> = { id: 10_000, time: 5_000, place: 5_000 };

/** Start of a page: the index path, the key to continue from, and the number of rows to skip. */
type Position = { readonly way: number; readonly from: string | null; readonly skip: number };
type Marks = { readonly markId: string; readonly markTime: string | null; readonly markPlace: number };
type Row = JobItem & Marks;
type Looked = {
  readonly rows: readonly JobItem[];
  readonly next: Position | null;
  readonly backTo: Date | null;
};

const start = (way: number): Position => ({ way, from: null, skip: 0 });
const fromPattern =
  /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?)$/;

function readCursor(cursor: string | undefined): Position {
  if (cursor === undefined) return start(0);
  try {
    const [way, skip, from] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[];
    const isSound =
      Number.isInteger(way) &&
      Number.isSafeInteger(skip) &&
      Number(skip) >= 0 &&
      Number(skip) < 100_000_000 &&
      (from === null || (typeof from === 'string' && fromPattern.test(from)));
    if (isSound) return { way: Number(way), skip: Number(skip), from: from as string | null };
  } catch {
    // Falls through to the refusal.
  }
  throw invalid('The cursor is none that the dashboard gave.');
}

const cursorOf = ({ way, skip, from }: Position): string =>
  Buffer.from(JSON.stringify([way, skip, from])).toString('base64url');

const where = (conditions: readonly string[]): string =>
  conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';

/** Returns the conditions that the index path does not cover. */
function restConditions(filter: JobFilter, way: Way, values: Values): string[] {
  return [
    ...(filter.state === undefined || isHeldBy(way, filter.state)
      ? []
      : [`j.state::text = ${values.add(filter.state)}`]),
    ...(filter.queue === undefined || way.isExact ? [] : [`j.queue = ${values.add(filter.queue)}`]),
    ...plainConditions(filter, values),
  ];
}

function goingOn(way: Way, { from }: Position, values: Values): string[] {
  if (from === null || way.goesOnBy === 'place') return [];
  if (way.goesOnBy === 'id') return [`k.id < ${values.add(from)}::uuid`];
  const [[column, direction] = ['due_at']] = way.keys;
  return [`k.${column} ${direction ? '<=' : '>='} ${values.add(from)}::timestamp at time zone 'UTC'`];
}

/**
 * Returns one window of an index path. For a path in id order it selects complete rows. Otherwise it selects only the
 * keys from the index, and rows are fetched one by one until the page is full.
 */
function windowOf(way: Way, at: Position, values: Values): string {
  const isWhole = way.goesOnBy === 'id';
  const columns = isWhole
    ? 'k.*'
    : [...new Set(['id', ...way.keys.map(([column]) => column)])].map((column) => `k.${column}`).join(', ');
  const rows = `select ${columns} from ${way.table(values)}
    ${where([...way.conditions(values), ...goingOn(way, at, values)])}
    order by ${orderOf(way, 'k')} offset ${at.skip} limit ${windowMax[way.goesOnBy]}`;
  return `select v.*, ${markOf(way)} from (${rows}) v`;
}

function markOf(way: Way): string {
  const [[first] = ['id']] = way.keys;
  const order = `over (order by ${orderOf(way, 'v')})`;
  const marks: Readonly<Record<Way['goesOnBy'], string>> = {
    id: 'null::timestamptz as mark_time, 0 as mark_place',
    place: `null::timestamptz as mark_time, row_number() ${order} as mark_place`,
    // Position among rows of the same time.
    time: `v.${first} as mark_time, row_number() ${order} - rank() ${order} + 1 as mark_place`,
  };
  return marks[way.goesOnBy];
}

const markColumns = `w.id as "markId", (w.mark_time at time zone 'UTC')::text as "markTime", w.mark_place as "markPlace"`;

function after(way: Way, at: Position, { markId, markTime, markPlace }: Marks): Position {
  if (way.goesOnBy === 'id') return { ...at, from: markId, skip: 0 };
  const skipped = markTime === at.from ? at.skip : 0;
  return { ...at, from: markTime, skip: skipped + markPlace };
}

/** Reads one window of an index path. Returns the matching rows and the position to continue from. */
async function lookAt(db: Db, filter: JobFilter, way: Way, at: Position, limit: number): Promise<Looked> {
  const values = createValues();
  const window = windowOf(way, at, values);
  const table =
    way.goesOnBy === 'id'
      ? `(${window}) j cross join lateral (select j.id, j.mark_time, j.mark_place) w`
      : `(${window}) w join ${db.schema}.job j on j.id = w.id`;
  const read = way.isOrdered ? db.walk : db.rows;
  // The outer order equals the window's order: nothing is sorted, and the read stops at the last row of the page.
  const rows = await read<Row>(
    `select ${itemColumns}, ${markColumns} from ${table} ${where(restConditions(filter, way, values))}
     order by ${orderOf(way, way.goesOnBy === 'id' ? 'j' : 'w')} limit ${limit + 1}`,
    values.list,
  );
  const items = rows.slice(0, limit).map(({ markId: _i, markTime: _t, markPlace: _p, ...item }) => item);
  const last = rows[limit - 1];
  if (rows.length > limit && last) return { rows: items, next: after(way, at, last), backTo: last.createdAt };
  const endValues = createValues();
  const [end] = await read<Marks & { createdAt: Date }>(
    `select ${markColumns}, j.created_at as "createdAt"
     from (select * from (${windowOf(way, at, endValues)}) e offset ${windowMax[way.goesOnBy] - 1}) w
     join ${db.schema}.job j on j.id = w.id`,
    endValues.list,
  );
  if (!end) return { rows: items, next: null, backTo: null };
  return { rows: items, next: after(way, at, end), backTo: end.createdAt };
}

/**
 * Finds jobs. Each state is read in the order of its index: ready jobs in claim order, due jobs by time, other jobs
 * newest first. A search without a suitable index reads a limited number of rows and reports its progress.
 */
export async function findJobs(
  db: Db,
  filter: JobFilter,
  page: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<FoundJobs> {
  const ways = waysOf(db.schema, filter, plainConditions(filter, createValues()).length > 0);
  let at = readCursor(page.cursor);
  const items: JobItem[] = [];
  for (let way = ways[at.way]; way; way = ways[at.way]) {
    const looked = await lookAt(db, filter, way, at, page.limit - items.length);
    items.push(...looked.rows);
    const isFull = items.length >= page.limit;
    if (looked.next) {
      return { items, nextCursor: cursorOf(looked.next), isCutShort: !isFull, lookedBackTo: looked.backTo };
    }
    at = start(at.way + 1);
    if (isFull && ways[at.way]) {
      const lookedBackTo = items.at(-1)?.createdAt ?? null;
      return { items, nextCursor: cursorOf(at), isCutShort: false, lookedBackTo };
    }
  }
  return { items, nextCursor: null, isCutShort: false, lookedBackTo: null };
}
