import {
  type Cell,
  isNumber,
  type ResultColumn,
  type ResultRow,
  textOf,
} from '../../../views/results/cells.ts';
import { type Aggregate, type ChartChoice, isDated, type TimeUnit } from './chart-choice.ts';

/** One place across: what it is called, where it stands, and what its rows come to, measure by measure. */
export type ChartPoint = {
  readonly label: string;
  readonly isNull: boolean;
  /** Milliseconds of a time, the number of a number; undefined for words. */
  readonly at: number | undefined;
  readonly values: readonly (number | null)[];
  /** Number of the first of its rows. */
  readonly row: number;
  readonly rowCount: number;
};

export type ChartPoints = {
  readonly axis: 'time' | 'value' | 'category';
  readonly points: readonly ChartPoint[];
  /** Rows that have no place on the axis, since what stands across is NULL there. */
  readonly leftOut: number;
};

/** The words of a place where the column holds nothing. */
export const nullLabel = 'NULL';

const zoned = /(?:z|[+-]\d\d(?::?\d\d)?)$/i;

/** A date or time as milliseconds; what names no zone is taken as it stands, and shown so. */
export function timeOf(text: string): number {
  const written = text.trim().replace(' ', 'T');
  if (!written.includes('T')) return Date.parse(`${written}T00:00:00Z`);
  return Date.parse(zoned.test(written) ? written.replace(/([+-]\d\d)$/, '$1:00') : `${written}Z`);
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const mondayOffsetDays = 3;

/** Beginning of the hour, day, week (from Monday), month or year that a time lies in. */
export function startOf(ms: number, unit: TimeUnit): number {
  const date = new Date(ms);
  switch (unit) {
    case 'Exact':
      return ms;
    case 'Hour':
      return Math.floor(ms / hourMs) * hourMs;
    case 'Day':
      return Math.floor(ms / dayMs) * dayMs;
    case 'Week':
      // 1 January 1970 was a Thursday.
      return (Math.floor((ms / dayMs + mondayOffsetDays) / 7) * 7 - mondayOffsetDays) * dayMs;
    case 'Month':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
    case 'Year':
      return Date.UTC(date.getUTCFullYear(), 0);
  }
}

/** A time in words, as short as the times beside it allow. */
export const timeLabel = (ms: number): string => {
  const text = new Date(ms).toISOString();
  return ms % dayMs === 0 ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ');
};

function comeTo(aggregate: Aggregate, values: readonly number[], rowCount: number): number | null {
  if (aggregate === 'Rows') return rowCount;
  if (values.length === 0) return null;
  if (aggregate === 'Minimum') return values.reduce((a, b) => Math.min(a, b));
  if (aggregate === 'Maximum') return values.reduce((a, b) => Math.max(a, b));
  const sum = values.reduce((a, b) => a + b, 0);
  // Sums of decimal fractions end in noise that no reader asked for.
  return Number((aggregate === 'Mean' ? sum / values.length : sum).toPrecision(12));
}

type Axis = ChartPoints['axis'];

function axisOf(across: ResultColumn | undefined, kind: ChartChoice['kind']): Axis {
  if (across && isDated(across)) return 'time';
  return across && isNumber(across) && kind === 'line' ? 'value' : 'category';
}

type Place = { readonly key: string; readonly label: string; readonly at: number | undefined };

/** Where a cell stands; undefined where the axis has no place for it. */
function placeOf(cell: Cell, axis: Axis, isCounted: boolean, unit: TimeUnit): Place | undefined {
  // A word may be written like the mark of a missing one.
  if (cell === null)
    return axis === 'category' ? { key: 'null', label: nullLabel, at: undefined } : undefined;
  const text = textOf(cell);
  if (axis === 'time') {
    const at = startOf(timeOf(text), unit);
    return Number.isNaN(at) ? undefined : { key: `is ${at}`, label: timeLabel(at), at };
  }
  return { key: `is ${text}`, label: text, at: isCounted ? Number(text) : undefined };
}

const atEnd = Number.POSITIVE_INFINITY;
const inOrder = (a: ChartPoint, b: ChartPoint): number => {
  const [left, right] = [a.at ?? atEnd, b.at ?? atEnd];
  return left === right ? 0 : left - right;
};
const nullLast = (a: ChartPoint, b: ChartPoint): number => Number(a.isNull) - Number(b.isNull);

/**
 * The points of a chart: rows of one place come to one value for each measure, places of time and number in their
 * order, words in the order of the rows with NULL at the end.
 */
export function pointsOf(
  columns: readonly ResultColumn[],
  rows: readonly ResultRow[],
  choice: ChartChoice,
): ChartPoints {
  const across = columns[choice.x];
  const axis = axisOf(across, choice.kind);
  const isCounted = across !== undefined && isNumber(across);
  const groups = new Map<string, { readonly place: Place; readonly rows: number[] }>();
  let leftOut = 0;
  for (const [index, row] of rows.entries()) {
    const place = placeOf(row[choice.x] ?? null, axis, isCounted, choice.unit);
    const group = place && groups.get(place.key);
    if (!place) leftOut += 1;
    else if (group) group.rows.push(index);
    else groups.set(place.key, { place, rows: [index] });
  }
  const measured = (own: readonly number[], measure: number): number | null => {
    const cells = own.map((row) => rows[row]?.[measure] ?? null).filter((cell) => cell !== null);
    return comeTo(choice.aggregate, cells.map(Number).filter(Number.isFinite), own.length);
  };
  const points = [...groups.values()].map(
    ({ place, rows: own }): ChartPoint => ({
      label: place.label,
      at: place.at,
      isNull: place.key === 'null',
      row: own[0] ?? 0,
      rowCount: own.length,
      values: choice.measures.map((measure) => measured(own, measure)),
    }),
  );
  return { axis, points: points.toSorted(axis !== 'category' || isCounted ? inOrder : nullLast), leftOut };
}
