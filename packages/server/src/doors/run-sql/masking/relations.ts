import { endOfBracket, isComparison, isNamePiece, isSign, isWord, type Piece } from './pieces.ts';

/** What a statement reads besides tables and queries in brackets, as far as that hides names. */
export type Relations = {
  /** Names by which a whole row can be taken: of tables, and those that tables, queries and functions get. */
  readonly rows: ReadonlySet<string>;
  /** `FROM t AS x (a, b)` names a table's columns by their places: those that it has stand nowhere in the text. */
  readonly renamesTable: boolean;
  /** Functions or VALUES stand in FROM, whose columns have names of their own. */
  readonly hasDerived: boolean;
  /** These are given all columns of a table: `json_each(to_json(t))`, `VALUES (t.*)`. */
  readonly givesRow: boolean;
  /** A table's name stands for its row somewhere, as in `SELECT t FROM t`. */
  readonly takesRow: boolean;
};

/** Functions whose columns are numbers and times that nobody's data went into. */
const series = new Set(['generate_series', 'numbers', 'numbers_mt', 'zeros', 'zeros_mt', 'generator']);
/** Functions that give one value a row: what they are called is no row. */
const scalar = new Set(
  `string_to_table regexp_split_to_table generate_subscripts json_array_elements json_array_elements_text
   jsonb_array_elements jsonb_array_elements_text json_object_keys jsonb_object_keys jsonb_path_query`.split(
    /\s+/,
  ),
);

/** SQL Server takes them in brackets behind a table, without WITH. */
const hints = new Set('nolock readuncommitted readcommitted readpast nowait noexpand forcescan'.split(' '));

const joins = new Set(['join', 'straight_join']);
/** Words that may stand between FROM or JOIN and what is read. */
const beforeRelation = new Set(['lateral', 'only', 'view', 'outer', 'table', 'rows', 'array']);
const ends = new Set(
  `select where prewhere group order having limit qualify window union except intersect minus offset fetch settings
   on using set`.split(/\s+/),
);
/** Words that a bracket of names may follow without giving them to columns. */
const noAliases = new Set(
  `on using where join left right inner full cross natural group order limit having union except intersect lateral select
   set window for offset fetch tablesample qualify asof semi anti positional straight_join use force ignore partition
   pivot unpivot match_recognize sample at before changes version timestamp with final prewhere array`.split(
    /\s+/,
  ),
);

/** Words behind a table whose bracket holds columns as they are called: `t USE INDEX (a)`. */
const noNames = new Set(['as', 'index', 'key']);

/** What stands within a pair of brackets, or outside all of them. */
type Frame = {
  /** The arguments of a function: `extract(year FROM x)` reads nothing. */
  readonly isCall: boolean;
  isQuery: boolean;
  isInFrom: boolean;
  /** Stands itself where a table could. */
  readonly isRelation: boolean;
  /** A table, a function or a query comes next. */
  isNext: boolean;
  /** One has been read, which names behind it may be given to. */
  isNaming: boolean;
  /** That one is a table, whose own columns stand nowhere in the text. */
  isTable: boolean;
};

const outermost: Frame = {
  ...{ isCall: false, isQuery: false, isInFrom: false, isRelation: false },
  ...{ isNext: false, isNaming: false, isTable: false },
};

/** What a reading has found so far, and within which brackets it is. */
type Reading = {
  readonly pieces: readonly Piece[];
  readonly given: Piece[];
  /** Names of tables that are read, and those that they get. */
  readonly tables: Set<string>;
  /** Names that queries in brackets and functions get. */
  readonly others: Set<string>;
  /** Where names stand that are read or given, and are no values. */
  readonly places: Set<number>;
  readonly outer: Frame[];
  frame: Frame;
  renamesTable: boolean;
  hasDerived: boolean;
};

/** Reads what stands behind FROM and JOIN. */
export function readRelations(pieces: readonly Piece[]): Relations {
  const reading: Reading = {
    ...{ pieces, given: [], outer: [] },
    ...{ tables: new Set<string>(), others: new Set<string>(), places: new Set<number>() },
    frame: { ...outermost },
    ...{ renamesTable: false, hasDerived: false },
  };
  for (const [at, piece] of pieces.entries()) {
    if (piece.kind === 'symbol') readSign(reading, at);
    else if (reading.frame.isNext && isWord(piece, 'values')) readRows(reading, at);
    else if (reading.frame.isNext && isRelation(piece)) readRelation(reading, at);
    else if (isNamePiece(piece)) readName(reading, at);
  }
  const { renamesTable, hasDerived, given, tables, others, places } = reading;
  return {
    ...{ rows: new Set([...tables, ...others]), renamesTable, hasDerived },
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
      ...{ isNext: false, isNaming: reading.frame.isNaming || frame.isRelation },
      isTable: reading.frame.isTable && !frame.isRelation,
    });
  } else if (isSign(pieces[at], ',')) Object.assign(frame, { isNext: frame.isInFrom, isNaming: false });
}

function readRows(reading: Reading, at: number): void {
  const rows = rowsOf(reading.pieces, at + 1);
  // One by one: there may be more of them than a call takes arguments.
  for (const piece of rows) reading.given.push(piece);
  reading.hasDerived ||= rows.length > 0;
  Object.assign(reading.frame, { isQuery: true, isInFrom: false, isNext: false, isNaming: false });
}

function readRelation(reading: Reading, at: number): void {
  const { pieces, given, tables, places, frame } = reading;
  // Of a path the last name counts.
  if (isSign(pieces[at + 1], '.')) return;
  const name = pieces[at]?.text ?? '';
  const isFunction = isSign(pieces[at + 1], '(') && !holdsHints(pieces, at + 1);
  const isSeries = isFunction && series.has(name) && !isSign(pieces[at - 1], '.');
  Object.assign(frame, {
    ...{ isNext: false, isTable: !isFunction },
    isNaming: !isSeries && !(isFunction && scalar.has(name)),
  });
  if (isFunction && !isSeries) {
    for (const piece of pieces.slice(at + 2, endOfBracket(pieces, at + 1))) given.push(piece);
    reading.hasDerived = true;
  }
  if (isFunction) return;
  // One pair of quotes may hold a whole path.
  for (const own of [name, name.slice(name.lastIndexOf('.') + 1)]) tables.add(own);
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
  // Behind ON and USING come further joins and commas.
  else if (isBare && (text === 'on' || text === 'using'))
    Object.assign(frame, { isNext: false, isNaming: false });
  else if (isBare && ends.has(text))
    Object.assign(frame, { isInFrom: false, isNext: false, isNaming: false });
  else if (frame.isNaming && isAlias(pieces[at])) {
    // `t VERSION AS OF 3 x`: more may be taken for names than are.
    others.add(text);
    places.add(at);
    // Whatever stands between: `t x (a, b)`, `t AS x (a, b)`, `t TABLESAMPLE (5 ROWS) x (a, b)`.
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

/** The rows behind VALUES: brackets with commas between. */
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

/** A table's name as a value. That of a query behind WITH, and what an item is called, are none. */
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

/** `x (a, b)` or `AS x (a, b)` behind the piece. */
function isRenamed(pieces: readonly Piece[], last: number): boolean {
  const alias = aliasAt(pieces, last);
  return isAlias(pieces[alias]) && namesColumns(pieces, alias + 1);
}

/** A bracket of nothing but names, and of no hints. */
function namesColumns(pieces: readonly Piece[], open: number): boolean {
  if (!isSign(pieces[open], '(') || holdsHints(pieces, open)) return false;
  const columns = pieces.slice(open + 1, endOfBracket(pieces, open));
  return columns.every((piece) => isNamePiece(piece) || isSign(piece, ','));
}

function holdsHints(pieces: readonly Piece[], open: number): boolean {
  const inside = pieces.slice(open + 1, endOfBracket(pieces, open));
  return inside.length > 0 && inside.every((piece) => isSign(piece, ',') || hints.has(piece.text));
}
