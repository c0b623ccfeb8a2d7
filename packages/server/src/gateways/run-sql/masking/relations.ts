import { endOfBracket, isComparison, isNamePiece, isSign, isWord, type Piece } from './pieces.ts';

/** Relations in FROM and JOIN, as far as they hide column names. */
export type Relations = {
  /** Names that represent a whole row: names and aliases of tables, and aliases of queries and functions. */
  readonly rows: ReadonlySet<string>;
  /** `FROM t AS x (a, b)` renames columns by position. The original names are not in the text. */
  readonly renamesTable: boolean;
  /** FROM contains functions or VALUES, whose columns have their own names. */
  readonly hasDerived: boolean;
  /** A function or VALUES receives all columns of a table: `json_each(to_json(t))`, `VALUES (t.*)`. */
  readonly givesRow: boolean;
  /** A table's name is used as a row value, as in `SELECT t FROM t`. */
  readonly takesRow: boolean;
};

/** Functions that generate numbers and times without any data of a table. */
const series = new Set(['generate_series', 'numbers', 'numbers_mt', 'zeros', 'zeros_mt', 'generator']);
/** Functions that return one value per row. Their alias does not represent a row. */
const scalar = new Set(
  `string_to_table regexp_split_to_table generate_subscripts json_array_elements json_array_elements_text
   jsonb_array_elements jsonb_array_elements_text json_object_keys jsonb_object_keys jsonb_path_query`.split(
    /\s+/,
  ),
);

/** SQL Server accepts these hints in brackets after a table, without WITH. */
const hints = new Set('nolock readuncommitted readcommitted readpast nowait noexpand forcescan'.split(' '));

const joins = new Set(['join', 'straight_join']);
/** Words that may appear between FROM or JOIN and the relation. */
const beforeRelation = new Set(['lateral', 'only', 'view', 'outer', 'table', 'rows', 'array']);
const ends = new Set(
  `select where prewhere group order having limit qualify window union except intersect minus offset fetch settings
   on using set`.split(/\s+/),
);
/** Words that a bracket of names may follow without renaming columns. */
const noAliases = new Set(
  `on using where join left right inner full cross natural group order limit having union except intersect lateral select
   set window for offset fetch tablesample qualify asof semi anti positional straight_join use force ignore partition
   pivot unpivot match_recognize sample at before changes version timestamp with final prewhere array`.split(
    /\s+/,
  ),
);

/** Words after a table whose bracket contains original column names: `t USE INDEX (a)`. */
const noNames = new Set(['as', 'index', 'key']);

/** State within one pair of brackets, or outside all of them. */
type Frame = {
  /** Arguments of a function: the FROM in `extract(year FROM x)` reads no relation. */
  readonly isCall: boolean;
  isQuery: boolean;
  isInFrom: boolean;
  /** The bracket is at the position of a relation. */
  readonly isRelation: boolean;
  /** A table, a function or a query is expected next. */
  isNext: boolean;
  /** A relation has been read; a name after it is its alias. */
  isNaming: boolean;
  /** True if the last relation is a table: its column names are not in the text. */
  isTable: boolean;
};

const outermost: Frame = {
  isCall: false,
  isQuery: false,
  isInFrom: false,
  isRelation: false,
  isNext: false,
  isNaming: false,
  isTable: false,
};

/** State of the parser. */
type Reading = {
  readonly pieces: readonly Piece[];
  readonly given: Piece[];
  /** Names and aliases of tables. */
  readonly tables: Set<string>;
  /** Aliases of queries in brackets and of functions. */
  readonly others: Set<string>;
  /** Positions of names and aliases of relations, which are not values. */
  readonly places: Set<number>;
  readonly outer: Frame[];
  frame: Frame;
  renamesTable: boolean;
  hasDerived: boolean;
};

/** Reads the relations after FROM and JOIN. */
export function readRelations(pieces: readonly Piece[]): Relations {
  const reading: Reading = {
    pieces,
    given: [],
    outer: [],
    tables: new Set<string>(),
    others: new Set<string>(),
    places: new Set<number>(),
    frame: { ...outermost },
    renamesTable: false,
    hasDerived: false,
  };
  for (const [at, piece] of pieces.entries()) {
    if (piece.kind === 'symbol') readSign(reading, at);
    else if (reading.frame.isNext && isWord(piece, 'values')) readRows(reading, at);
    else if (reading.frame.isNext && isRelation(piece)) readRelation(reading, at);
    else if (isNamePiece(piece)) readName(reading, at);
  }
  const { renamesTable, hasDerived, given, tables, others, places } = reading;
  return {
    rows: new Set([...tables, ...others]),
    renamesTable,
    hasDerived,
    givesRow: given.some((_piece, at) => isRow(given, at, tables) || isStarOfTable(given, at)),
    takesRow: pieces.some((_piece, at) => !places.has(at) && isRow(pieces, at, tables)),
  };
}

function readSign(reading: Reading, at: number): void {
  const { pieces, outer, frame } = reading;
  if (isSign(pieces[at], '(')) {
    outer.push(frame);
    const isCall = !frame.isNext && isNamePiece(pieces[at - 1]);
    const { isNext } = frame;
    reading.frame = { ...outermost, isCall, isInFrom: isNext, isRelation: isNext, isNext };
  } else if (isSign(pieces[at], ')')) {
    // `(a JOIN b) t (x, y)`.
    reading.renamesTable ||= frame.isRelation && !frame.isQuery && isRenamed(pieces, at);
    reading.frame = outer.pop() ?? frame;
    Object.assign(reading.frame, {
      isNext: false,
      isNaming: reading.frame.isNaming || frame.isRelation,
      isTable: reading.frame.isTable && !frame.isRelation,
    });
  } else if (isSign(pieces[at], ',')) Object.assign(frame, { isNext: frame.isInFrom, isNaming: false });
}

function readRows(reading: Reading, at: number): void {
  const rows = rowsOf(reading.pieces, at + 1);
  // One by one: `push(...rows)` could exceed the maximum number of arguments.
  for (const piece of rows) reading.given.push(piece);
  reading.hasDerived ||= rows.length > 0;
  Object.assign(reading.frame, { isQuery: true, isInFrom: false, isNext: false, isNaming: false });
}

function readRelation(reading: Reading, at: number): void {
  const { pieces, given, tables, places, frame } = reading;
  // In a path only the last name counts.
  if (isSign(pieces[at + 1], '.')) return;
  const name = pieces[at]?.text ?? '';
  const isFunction = isSign(pieces[at + 1], '(') && !holdsHints(pieces, at + 1);
  const isSeries = isFunction && series.has(name) && !isSign(pieces[at - 1], '.');
  Object.assign(frame, {
    isNext: false,
    isTable: !isFunction,
    isNaming: !isSeries && !(isFunction && scalar.has(name)),
  });
  if (isFunction && !isSeries) {
    for (const piece of pieces.slice(at + 2, endOfBracket(pieces, at + 1))) given.push(piece);
    reading.hasDerived = true;
  }
  if (isFunction) return;
  // One quoted name may contain a whole path.
  for (const tableName of [name, name.slice(name.lastIndexOf('.') + 1)]) tables.add(tableName);
  places.add(at);
  const alias = aliasAt(pieces, at);
  if (isAlias(pieces[alias])) {
    tables.add(pieces[alias]?.text ?? '');
    places.add(alias);
  }
}

const isRelation = (piece: Piece): boolean =>
  piece.kind === 'identifier' ||
  (piece.kind === 'word' &&
    !beforeRelation.has(piece.text) &&
    !ends.has(piece.text) &&
    !['from', 'with', 'summarize'].includes(piece.text));

function readName(reading: Reading, at: number): void {
  const { pieces, others, places, frame } = reading;
  const { kind, text } = pieces[at] ?? { text: '' };
  const isBare = kind === 'word';
  if (isBare && text === 'select') frame.isQuery = true;
  if (isBare && isStart(pieces, at, frame))
    Object.assign(frame, { isInFrom: true, isNext: true, isNaming: false });
  // Further joins and commas may follow ON and USING.
  else if (isBare && (text === 'on' || text === 'using'))
    Object.assign(frame, { isNext: false, isNaming: false });
  else if (isBare && ends.has(text))
    Object.assign(frame, { isInFrom: false, isNext: false, isNaming: false });
  else if (frame.isNaming && isAlias(pieces[at])) {
    // In `t VERSION AS OF 3 x` a name before the alias is also recorded, which only masks more.
    others.add(text);
    places.add(at);
    // Independent of the pieces between: `t x (a, b)`, `t AS x (a, b)`, `t TABLESAMPLE (5 ROWS) x (a, b)`.
    reading.renamesTable ||= frame.isTable && !(isBare && noNames.has(text)) && namesColumns(pieces, at + 1);
  }
}

function isStart(pieces: readonly Piece[], at: number, frame: Frame): boolean {
  const { text } = pieces[at] ?? { text: '' };
  const before = pieces[at - 1];
  if (text === 'apply') return isWord(before, 'cross') || isWord(before, 'outer');
  if (text !== 'from') return joins.has(text);
  return !isComparison(pieces, at) && (frame.isQuery || !frame.isCall);
}

/** Returns the rows of VALUES: brackets separated by commas. */
function rowsOf(pieces: readonly Piece[], from: number): readonly Piece[] {
  let at = from;
  while (isSign(pieces[at], '(') || isSign(pieces[at], ',') || isWord(pieces[at], 'row'))
    at = isSign(pieces[at], '(') ? endOfBracket(pieces, at) + 1 : at + 1;
  return pieces.slice(from, at);
}

const aliasAt = (pieces: readonly Piece[], last: number): number =>
  isWord(pieces[last + 1], 'as') ? last + 2 : last + 1;

const isAlias = (piece: Piece | undefined): boolean =>
  isNamePiece(piece) && !(piece?.kind === 'word' && noAliases.has(piece.text));

/** Returns true for a table's name as a value. The name of a CTE and the alias of an item are not values. */
function isRow(pieces: readonly Piece[], at: number, tables: ReadonlySet<string>): boolean {
  const [piece, before, after] = [pieces[at], pieces[at - 1], pieces[at + 1]];
  if (!isNamePiece(piece) || !tables.has(piece?.text ?? '')) return false;
  if (isSign(before, '.') || isWord(before, 'as') || isSign(after, '.') || isSign(after, '(')) return false;
  const further = pieces[at + 2];
  const isQuery = isSign(further, '(') || isWord(further, 'materialized') || isWord(further, 'not');
  return !(isWord(after, 'as') && isQuery);
}

const isStarOfTable = (pieces: readonly Piece[], at: number): boolean =>
  isSign(pieces[at], '*') && isSign(pieces[at - 1], '.');

/** Matches `x (a, b)` or `AS x (a, b)` after the piece. */
function isRenamed(pieces: readonly Piece[], last: number): boolean {
  const alias = aliasAt(pieces, last);
  return isAlias(pieces[alias]) && namesColumns(pieces, alias + 1);
}

/** Matches a bracket of names only, without hints. */
function namesColumns(pieces: readonly Piece[], open: number): boolean {
  if (!isSign(pieces[open], '(') || holdsHints(pieces, open)) return false;
  const columns = pieces.slice(open + 1, endOfBracket(pieces, open));
  return columns.every((piece) => isNamePiece(piece) || isSign(piece, ','));
}

function holdsHints(pieces: readonly Piece[], open: number): boolean {
  const inside = pieces.slice(open + 1, endOfBracket(pieces, open));
  return inside.length > 0 && inside.every((piece) => isSign(piece, ',') || hints.has(piece.text));
}
