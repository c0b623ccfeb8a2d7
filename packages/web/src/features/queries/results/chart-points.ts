import {
  type Cell,
  isNumber,
  type ResultColumn,
  type ResultRow,
  textOf,
} from '../../../views/results/cells.ts';
import { type Aggregate, type ChartChoice, isDated, type TimeUnit } from './chart-choice.ts';

/** Point on the x-axis: its label, its position, and one aggregated value per measure. */
export type ChartPoint = {
  readonly label: string;
  readonly isNull: boolean;
  /** Milliseconds for a time, the value for a number, undefined for text. */
  readonly at: number | undefined;
  readonly values: readonly (number | null)[];
  /** Index of the first row of the point. */
  readonly row: number;
  readonly rowCount: number;
};

export type ChartPoints = {
  readonly axis: 'time' | 'value' | 'category';
  readonly points: readonly ChartPoint[];
  /** Number of rows without a position on the axis, because their x-value is NULL or an unreadable time. */
  readonly leftOut: number;
};

/** Label of the point for NULL. */
export const nullLabel = 'NULL';

const zoned = /(?:z|[+-]\d\d(?::?\d\d)?)$/i;

/** Returns a date or time in milliseconds. A value without a zone is read as UTC and shown unchanged. */
export function timeOf(text: string): number {
  const written = text.trim().replace(' ', 'T');
  if (!written.includes('T')) return Date.parse(`${written}T00:00:00Z`);
  return Date.parse(zoned.test(written) ? written.replace(/([+-]\d\d)$/, '$1:00') : `${written}Z`);
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const mondayOffsetDays = 3;

/** Returns the start of the hour, day, week (from Monday), month or year of a time. */
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

/** Formats a time, without seconds. Omits the time of day at midnight. */
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
  // Rounds to 12 digits, because sums of decimal fractions have rounding errors in the last digits.
  return Number((aggregate === 'Mean' ? sum / values.length : sum).toPrecision(12));
}

type Axis = ChartPoints['axis'];

function axisOf(across: ResultColumn | undefined, kind: ChartChoice['kind']): Axis {
  if (across && isDated(across)) return 'time';
  return across && isNumber(across) && kind === 'line' ? 'value' : 'category';
}

type Place = { readonly key: string; readonly label: string; readonly at: number | undefined };

/** Returns the position of a cell. Undefined if the axis has no position for it. */
function placeOf(cell: Cell, axis: Axis, isCounted: boolean, unit: TimeUnit): Place | undefined {
  // NULL has its own key, because a text may equal its label.
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
  const [first, second] = [a.at ?? atEnd, b.at ?? atEnd];
  return first === second ? 0 : first - second;
};
const nullLast = (a: ChartPoint, b: ChartPoint): number => Number(a.isNull) - Number(b.isNull);

/**
 * Returns the points of a chart. Rows of one point result in one value for each measure. Times and numbers are sorted.
 * Texts follow the order of the rows, with NULL last.
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
  const measured = (pointRows: readonly number[], measure: number): number | null => {
    const cells = pointRows.map((row) => rows[row]?.[measure] ?? null).filter((cell) => cell !== null);
    return comeTo(choice.aggregate, cells.map(Number).filter(Number.isFinite), pointRows.length);
  };
  const points = [...groups.values()].map(
    ({ place, rows: pointRows }): ChartPoint => ({
      label: place.label,
      at: place.at,
      isNull: place.key === 'null',
      row: pointRows[0] ?? 0,
      rowCount: pointRows.length,
      values: choice.measures.map((measure) => measured(pointRows, measure)),
    }),
  );
  return { axis, points: points.toSorted(axis !== 'category' || isCounted ? inOrder : nullLast), leftOut };
}
