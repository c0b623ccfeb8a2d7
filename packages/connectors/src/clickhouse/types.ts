import { plural } from '@svc/contract/wording';
import { ConnectorError } from '../error.ts';
import type { ExecuteOptions } from '../port.ts';
import { type Cell, type ColumnKind, decimalCell, floatCell, integerCell, timestampCell } from '../values.ts';

/** Form of a value in a row: quoted, an array or object, or bare. */
export type CellForm = 'text' | 'nested' | 'bare';

/** Converts a value to a cell; undefined for a value that is invalid for the column's type. */
export type CellReader = (value: string, form: CellForm) => Cell | undefined;

const kindsByName: readonly (readonly [RegExp, ColumnKind])[] = [
  [/^U?Int\d+$/, 'integer'],
  [/^(Float\d+|BFloat16)$/, 'float'],
  [/^Decimal\d*$/, 'decimal'],
  [/^Bool$/, 'boolean'],
  [/^Date(32)?$/, 'date'],
  [/^DateTime(32|64)?$/, 'timestamptz'],
  [/^Time(64)?$/, 'time'],
  [/^(String|FixedString|Enum\d*|IPv[46]|Nothing)$/, 'text'],
  [/^UUID$/, 'uuid'],
  [/^Interval/, 'interval'],
  [/^(Array|Map|Tuple|Nested|JSON|Object|Variant|Dynamic|QBit)$/, 'json'],
  [/^(Point|Ring|LineString|MultiLineString|Polygon|MultiPolygon|Geometry)$/, 'json'],
];

/** Matches the text before a wrapped type. A closing bracket follows that type. */
const wrapper = /(?:Nullable|LowCardinality)\(|SimpleAggregateFunction\(\w+(?:\([^)]*\))?, /y;

/** Returns the type within `Nullable(…)`, `LowCardinality(…)` and `SimpleAggregateFunction(f, …)`, in one pass. */
export function innerType(type: string): string {
  let start = 0;
  let end = type.length;
  for (;;) {
    wrapper.lastIndex = start;
    if (!wrapper.test(type) || type[end - 1] !== ')') return type.slice(start, end);
    start = wrapper.lastIndex;
    end--;
  }
}

const typeDepthMax = 200;

/**
 * Throws for a type that is nested deeper than any real table's. Brackets in quoted names do not count.
 *
 * @param column  returns the name to display
 */
export function assertTypeDepth(type: string, column: () => string): void {
  let depth = 0;
  let quote = '';
  for (let at = 0; at < type.length; at++) {
    const character = type[at] ?? '';
    if (quote !== '') {
      if (character === '\\') at++;
      else if (character === quote) quote = '';
    } else if (character === "'" || character === '"' || character === '`') quote = character;
    else if (character === ')') depth--;
    else if (character === '(' && ++depth > typeDepthMax)
      throw new ConnectorError(
        'statement-failed',
        `The type of the column ${column()} is nested deeper than ${plural(typeDepthMax, 'level')}.`,
        { origin: 'Service' },
      );
  }
}

export const isNullableType = (type: string): boolean =>
  /^(LowCardinality\()?Nullable\(/.test(type) || /^(Variant|Dynamic)\b/.test(type);

export function clickhouseKind(type: string): ColumnKind {
  const name = /^\w+/.exec(innerType(type))?.[0] ?? '';
  return kindsByName.find(([pattern]) => pattern.test(name))?.[1] ?? 'other';
}

/** Format in which the session writes instants. */
export type TimeForm = {
  /** ISO 8601 in UTC; otherwise local time of the column's zone, or of the server's. */
  readonly isIso: boolean;
  readonly serverZone: string;
};

/**
 * Returns the kind of a column in this session. Local time of a zone other than UTC is a time without a zone: when
 * daylight saving ends, one local hour means two instants.
 */
export function kindInSession(type: string, { isIso, serverZone }: TimeForm): ColumnKind {
  const kind = clickhouseKind(type);
  if (kind !== 'timestamptz' || isIso) return kind;
  const zone = /'([^']*)'\)$/.exec(innerType(type))?.[1] ?? serverZone;
  return /^(Etc\/)?(UTC|UCT|Universal|Zulu)$/i.test(zone) ? 'timestamptz' : 'timestamp';
}

/** Returns the conversion of a column's values to cells. */
export function cellReader(
  type: string,
  kind: ColumnKind,
  { decimalsAsText = false }: Pick<ExecuteOptions, 'decimalsAsText'> = {},
): CellReader {
  switch (kind) {
    case 'boolean':
      return (value) => (value === 'true' ? true : value === 'false' ? false : undefined);
    case 'integer':
      return numeric(/^-?\d+$/, integerCell);
    case 'decimal':
      return numeric(/^-?\d+(\.\d+)?$/, decimalsAsText ? (text) => text : decimalCell);
    case 'float':
      return float;
    case 'timestamptz':
      return (value, form) => (form === 'text' ? zoned(timestampCell(value)) : undefined);
    case 'timestamp':
      return (value, form) => (form === 'text' ? timestampCell(value) : undefined);
    case 'interval':
      return interval(/^Interval(\w+)/.exec(innerType(type))?.[1] ?? '');
    case 'json':
      return json;
    case 'other':
      return (value) => value;
    default:
      return (value, form) => (form === 'text' ? value : undefined);
  }
}

const numeric =
  (pattern: RegExp, cell: (text: string) => Cell): CellReader =>
  (value, form) =>
    form !== 'nested' && pattern.test(value) ? cell(value) : undefined;

const zoned = (time: string): string => (time.endsWith('Z') ? time : `${time}Z`);

const denormals = new Map([
  ['nan', 'NaN'],
  ['-nan', 'NaN'],
  ['inf', 'Infinity'],
  ['+inf', 'Infinity'],
  ['-inf', '-Infinity'],
]);

function float(value: string, form: CellForm): Cell | undefined {
  const denormal = denormals.get(value);
  if (denormal !== undefined) return denormal;
  return form !== 'nested' && /^[-+]?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(value) ? floatCell(value) : undefined;
}

/** Nested values remain the server's own text, so that their numbers stay exact. */
function json(value: string, form: CellForm): Cell | undefined {
  if (form === 'text') return JSON.stringify(value);
  try {
    JSON.parse(value);
    return value;
  } catch {
    return undefined;
  }
}

/** ISO 8601 durations by unit. An interval of the server is a whole number of one unit. */
const durations: Readonly<Record<string, (count: bigint) => string>> = {
  Year: (count) => `P${count}Y`,
  Quarter: (count) => `P${count * 3n}M`,
  Month: (count) => `P${count}M`,
  Week: (count) => `P${count}W`,
  Day: (count) => `P${count}D`,
  Hour: (count) => `PT${count}H`,
  Minute: (count) => `PT${count}M`,
  Second: (count) => `PT${count}S`,
};

function interval(unit: string): CellReader {
  const duration = Object.hasOwn(durations, unit) ? durations[unit] : undefined;
  // The server counts in 64 bits, which have at most 19 digits.
  return numeric(/^-?\d{1,19}$/, (text) => {
    const count = BigInt(text);
    if (!duration) return text;
    return count < 0n ? `-${duration(-count)}` : duration(count);
  });
}
