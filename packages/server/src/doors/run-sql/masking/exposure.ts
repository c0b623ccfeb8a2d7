import type { Column, SqlDialect } from '@svc/connectors';
import { isNamePiece, type Piece, readShape, type StatementShape } from './select-list.ts';

/** What a statement's columns are judged by. */
export type ExposureInput = {
  readonly sql: string;
  readonly dialect: SqlDialect;
  readonly columns: readonly Column[];
  /** True for a name that speaks of personal data. */
  readonly isPersonal: (name: string) => boolean;
};

/**
 * Which columns may carry personal data. A column is clear only when that can be shown: by the table column that the
 * engine says it comes from, or by the text of its own expression. Whatever cannot be shown is masked.
 */
export function exposedColumns({ sql, dialect, columns, isPersonal }: ExposureInput): boolean[] {
  // Where the engine tells of every column, nobody asks for the text's own shape.
  let known: { readonly shape: StatementShape; readonly mentions: boolean } | undefined;
  const text = () => {
    if (known) return known;
    const shape = readShape(sql, dialect);
    known = { shape, mentions: statementMentions(shape, isPersonal) };
    return known;
  };
  return columns.map((column, index) => {
    // Truth values tell nothing about a person that masking could keep.
    if (column.kind === 'boolean') return false;
    if (isPersonal(column.name)) return true;
    if (column.origin && isOriginExact(dialect, () => text().shape)) return isPersonal(column.origin.column);
    return isExpressionExposed({ ...text(), index, columnCount: columns.length, isPersonal });
  });
}

/** MySQL names a derived table's own column, not the one beneath it. */
function isOriginExact(dialect: SqlDialect, shapeOf: () => StatementShape): boolean {
  if (dialect.name !== 'mysql') return true;
  const { isNested, hasRenaming } = shapeOf();
  return !isNested && !hasRenaming;
}

type Expression = {
  readonly shape: StatementShape;
  readonly mentions: boolean;
  readonly index: number;
  readonly columnCount: number;
  readonly isPersonal: (name: string) => boolean;
};

function isExpressionExposed({ shape, mentions, index, columnCount, isPersonal }: Expression): boolean {
  const items: (readonly Piece[])[] = [];
  for (const list of shape.lists) {
    const item = list?.length === columnCount ? list[index] : undefined;
    // A star hides which item this is: the column's name is then a table's own, unless names are given inside.
    if (!item) return mentions;
    items.push(item);
  }
  if (items.length === 0) return mentions;
  if (items.every(isCountOrConstant)) return false;
  if (items.some((item) => holdsWholeRow(item, shape.tables))) return true;
  const isInside = items.some((item) => holdsPersonalName(item, isPersonal));
  return shape.isNested || shape.hasRenaming ? mentions || isInside : isInside;
}

/** Anything in the statement that could bring personal data in under another name. */
function statementMentions(shape: StatementShape, isPersonal: (name: string) => boolean): boolean {
  if (holdsPersonalName(shape.pieces, isPersonal)) return true;
  // Names that a star or a renaming brings in do not stand in the text.
  return shape.isNested && (shape.hasRenaming || shape.pieces.some(isStarOfColumns));
}

function isStarOfColumns(piece: Piece, index: number, pieces: readonly Piece[]): boolean {
  if (piece.kind !== 'symbol' || piece.text !== '*') return false;
  const before = pieces[index - 1];
  const after = pieces[index + 1];
  if (before?.text === '(' && after?.text === ')') return false;
  return before === undefined || ['select', ',', '.', 'distinct', 'all', '('].includes(before.text);
}

function holdsPersonalName(pieces: readonly Piece[], isPersonal: (name: string) => boolean): boolean {
  return pieces.some((piece, index) => {
    if (isNamePiece(piece)) return isPersonal(piece.text);
    return piece.kind === 'string' && isKeyOfJson(piece.text, pieces[index - 1]) && isPersonal(piece.text);
  });
}

/** `data ->> 'email'`, and a path such as `'$.email'` wherever it stands. */
function isKeyOfJson(text: string, before: Piece | undefined): boolean {
  return before?.text === '>' || text.startsWith("'$") || text.startsWith("'{");
}

/** `count(…)`, numbers and texts of the statement itself, with or without a name. */
function isCountOrConstant(item: readonly Piece[]): boolean {
  const own = withoutAlias(item);
  if (own.length > 0 && own.every((piece) => piece.kind === 'number' || piece.kind === 'string')) return true;
  const [name, open] = own;
  if (name?.text !== 'count' || open?.text !== '(') return false;
  let depth = 0;
  for (const [index, piece] of own.entries()) {
    if (piece.text === '(' && piece.kind === 'symbol') depth++;
    if (piece.text === ')' && piece.kind === 'symbol' && --depth === 0) {
      const rest = own.slice(index + 1);
      return rest.length === 0 || ['filter', 'over'].includes(rest[0]?.text ?? '');
    }
  }
  return false;
}

function withoutAlias(item: readonly Piece[]): readonly Piece[] {
  const last = item.at(-1);
  const before = item.at(-2);
  if (!isNamePiece(last) || item.length < 2) return item;
  if (before?.kind === 'word' && before.text === 'as') return item.slice(0, -2);
  const endsValue = before?.text === ')' || before?.kind === 'number' || before?.kind === 'string';
  return endsValue ? item.slice(0, -1) : item;
}

/** A table's name or alias as a value stands for all of its columns. */
function holdsWholeRow(item: readonly Piece[], tables: ReadonlySet<string>): boolean {
  const own = withoutAlias(item);
  return own.some((piece, index) => {
    if (piece.kind === 'symbol' && piece.text === '*') return own[index - 1]?.text === '.';
    if (!isNamePiece(piece) || !tables.has(piece.text)) return false;
    const after = own[index + 1]?.text;
    return after !== '.' && after !== '(' && own[index - 1]?.text !== '.';
  });
}
