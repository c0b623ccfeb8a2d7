/** Cell that is not NULL. */
export type OrderedCell = string | number | boolean;

/** Position of a cell in the order of its column: by rank, then by number, then by text. */
type SortKey = { readonly rank: number; readonly number: number; readonly text: string };

/** Keys of `negative` values are in reverse order: their number and text state the distance below zero. */
const ranks = { lowest: 0, negative: 1, value: 2, highest: 3, notANumber: 4, unreadable: 5 } as const;

const keyOf = (rank: number, number = 0, text = ''): SortKey => ({ rank, number, text });

/**
 * Returns the order of the cells of a column kind. Read each cell once with `key`, then compare the keys. NaN follows
 * all numbers, and a text that is invalid for the kind follows NaN, so that every order is total.
 */
export function orderOf(kind: string): {
  readonly key: (cell: OrderedCell) => SortKey;
  readonly compare: (a: SortKey, b: SortKey) => number;
} {
  const key = readers.get(kind);
  if (key) return { key, compare: compareKeys };
  return {
    key: (cell) => keyOf(ranks.value, 0, String(cell)),
    compare: textOrders.get(kind) ?? compareTexts,
  };
}

function compareKeys(a: SortKey, b: SortKey): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (a.rank === ranks.unreadable) return compareTexts(a, b);
  const order = a.number === b.number ? compareCharacters(a, b) : a.number < b.number ? -1 : 1;
  return a.rank === ranks.negative ? -order : order;
}

/** Created once: creating a collator for each comparison takes most of the time of sorting. */
const collator = new Intl.Collator('en', { numeric: true });

const compareTexts = (a: SortKey, b: SortKey): number => collator.compare(a.text, b.text);

const compareCharacters = (a: SortKey, b: SortKey): number =>
  a.text < b.text ? -1 : a.text > b.text ? 1 : 0;

/** Column kinds with another order than the collator's, which reads digits of hexadecimal text as decimal numbers. */
const textOrders = new Map([
  ['binary', compareCharacters],
  ['uuid', compareCharacters],
]);

const specialRanks = new Map<string, number>([
  ...(['infinity', '+infinity', 'inf', '+inf'] as const).map((word) => [word, ranks.highest] as const),
  ...(['-infinity', '-inf'] as const).map((word) => [word, ranks.lowest] as const),
  ['nan', ranks.notANumber],
]);

function specialKey(text: string): SortKey {
  const rank = specialRanks.get(text.toLowerCase());
  return rank === undefined ? keyOf(ranks.unreadable, 0, text) : keyOf(rank);
}

const decimalPattern = /^([+-]?)0*(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

/**
 * Returns the key of a number. Numbers outside the range of a double arrive as text, so the key contains decimal
 * digits.
 */
function numberKey(cell: OrderedCell): SortKey {
  const text = String(cell).trim();
  const match = decimalPattern.exec(text);
  if (!match || !/^[+-]?\.?\d/.test(text)) return specialKey(text);
  const [, sign, integer = '', fraction = '', exponent = '0'] = match;
  const digits = `${integer}${fraction}`.replace(/0+$/, '');
  const zerosInFront = /^0*/.exec(digits)?.[0].length ?? 0;
  if (digits === '') return keyOf(ranks.value, Number.NEGATIVE_INFINITY);
  const magnitude = integer.length - zerosInFront + Number(exponent);
  return keyOf(sign === '-' ? ranks.negative : ranks.value, magnitude, digits.slice(zerosInFront));
}

const timePattern =
  /^(?:([+-]?\d{1,7})-(\d{1,2})-(\d{1,2}))?[T ]?(?:(-?)(\d+):(\d{2})(?::(\d{2})(?:\.(\d+))?)?)?(Z|[+-]\d{2}(?::?\d{2}){0,2})?( BC)?$/;

/** Returns the key of a date, a time of day or an instant. Fractions of a second are compared by their digits. */
function timeKey(cell: OrderedCell): SortKey {
  const text = String(cell);
  const match = timePattern.exec(text);
  if (!match || text === '') return specialKey(text);
  const [, year, month, day, sign, hours = '0', minutes = '0', seconds = '0', fraction = '', zone, bc] =
    match;
  const days =
    year === undefined ? 0 : daysSince(bc ? 1 - Number(year) : Number(year), Number(month), Number(day));
  const clock = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  const total = days * 86_400 + clock - offsetSeconds(zone);
  return keyOf(sign === '-' ? ranks.negative : ranks.value, total, fraction.replace(/0+$/, ''));
}

function offsetSeconds(zone = 'Z'): number {
  if (zone === 'Z') return 0;
  const [hours = 0, minutes = 0, seconds = 0] = (zone.slice(1).match(/\d{2}/g) ?? []).map(Number);
  return (zone.startsWith('-') ? -1 : 1) * (hours * 3_600 + minutes * 60 + seconds);
}

/**
 * Returns the days since 1 March of year 0 in the proleptic Gregorian calendar. A month or day of 0 is before the
 * first.
 */
function daysSince(year: number, month: number, day: number): number {
  const shifted = month > 2 ? year : year - 1;
  const monthsSinceMarch = (month + 9) % 12;
  const leapDays = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  return shifted * 365 + leapDays + Math.floor((153 * monthsSinceMarch + 2) / 5) + day - 1;
}

const booleanKey = (cell: OrderedCell): SortKey =>
  typeof cell === 'boolean' ? keyOf(ranks.value, Number(cell)) : specialKey(String(cell));

const readers = new Map<string, (cell: OrderedCell) => SortKey>([
  ...['integer', 'decimal', 'float'].map((kind) => [kind, numberKey] as const),
  ...['date', 'time', 'timestamp', 'timestamptz'].map((kind) => [kind, timeKey] as const),
  ['boolean', booleanKey],
]);
