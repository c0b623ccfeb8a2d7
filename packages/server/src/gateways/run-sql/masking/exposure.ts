import type { Column, SourceName, SqlDialect } from '@svc/connectors';
import { expressionAliases } from './expression-aliases.ts';
import { isPersonalSource } from './personal-names.ts';
import { endOfBracket, isNamePiece, isSign, isWord, type Piece } from './pieces.ts';
import type { MaskingReason } from './reasons.ts';
import { readShape, type StatementShape } from './select-list.ts';

/** Statement and result columns to classify. */
export type ExposureInput = {
  readonly sql: string;
  readonly dialect: SqlDialect;
  readonly columns: readonly Column[];
  /** Returns true for a name that suggests personal data. */
  readonly isPersonal: (name: string) => boolean;
};

/** Returns true for each column that may contain personal data. */
export const exposedColumns = (input: ExposureInput): boolean[] =>
  exposureReasons(input).map((reason) => reason !== null);

/**
 * Returns the reason why each column may contain personal data, or null. If the sources of a column are known, they
 * decide. Otherwise a column is clear only with evidence: the table column that the engine reports as its origin, or the
 * text of the column's expression.
 */
export function exposureReasons({
  sql,
  dialect,
  columns,
  isPersonal,
}: ExposureInput): (MaskingReason | null)[] {
  // The text is parsed only if the engine's metadata does not decide.
  let parsed: { readonly shape: StatementShape; readonly mentions: boolean } | undefined;
  const text = () => {
    if (parsed) return parsed;
    const shape = readShape(sql, dialect);
    parsed = { shape, mentions: statementMentions(shape, isPersonal) };
    return parsed;
  };
  const sourceOf = (source: SourceName): MaskingReason => ({ kind: 'Source', source });
  const origins = (column: string): MaskingReason | null =>
    isPersonal(column) ? sourceOf({ relation: null, column }) : null;
  return columns.map((column, index) => {
    // A boolean does not identify a person, and a masked form of it would have no use.
    if (column.kind === 'boolean') return null;
    const { sources, origin, reachable } = column;
    const personal = sources?.names.find((source) => isPersonalSource(source, isPersonal));
    if (personal) return sourceOf(personal);
    if (sources?.unknown === null) return origin ? origins(origin.column) : null;
    if (reachable?.every((source) => !isPersonalSource(source, isPersonal))) return null;
    if (isPersonal(column.name) || hasPersonalField(column, isPersonal)) return { kind: 'Name' };
    if (column.origin && isOriginExact(dialect, () => text().shape)) return origins(column.origin.column);
    const { haveAliasesExpressions = false } = dialect;
    const isExposed = isExpressionExposed({
      ...text(),
      name: column.name,
      index,
      columnCount: columns.length,
      isPersonal,
      haveAliasesExpressions,
    });
    return isExposed ? { kind: 'Expression', why: sources?.unknown ?? null } : null;
  });
}

/**
 * Checks the field names of a type such as `ARRAY<STRUCT<email STRING>>` or `STRUCT<email: STRING>`. A truncated type is
 * treated as personal.
 */
function hasPersonalField({ kind, databaseType }: Column, isPersonal: (name: string) => boolean): boolean {
  if (kind !== 'json' || !databaseType.includes('STRUCT<')) return false;
  const names = [...databaseType.matchAll(/[<,]\s*`?([^\s<>,:`]+)`?(?::\s*|\s+)[A-Z]/gi)].map(
    ([, name = '']) => name,
  );
  return databaseType.endsWith('…') || names.some(isPersonal);
}

/**
 * Returns true if the reported origin is the table column. MySQL reports the column of a derived table instead, SQLite
 * that of a function.
 */
function isOriginExact({ name }: SqlDialect, shapeOf: () => StatementShape): boolean {
  if (name !== 'mysql' && name !== 'sqlite') return true;
  const { isNested, hasRenaming, relations } = shapeOf();
  return !relations.hasDerived && (name === 'sqlite' || (!isNested && !hasRenaming));
}

type Expression = {
  readonly shape: StatementShape;
  readonly mentions: boolean;
  readonly name: string;
  readonly index: number;
  readonly columnCount: number;
  readonly isPersonal: (name: string) => boolean;
  readonly haveAliasesExpressions: boolean;
};

function isExpressionExposed(expression: Expression): boolean {
  const { shape, mentions, index, columnCount, isPersonal, haveAliasesExpressions } = expression;
  const items: (readonly Piece[])[] = [];
  for (const list of shape.lists) {
    const item = list?.length === columnCount ? list[index] : undefined;
    // A star hides the position of the item. The column name is then a table's own name, unless the statement renames columns.
    if (!item)
      return mentions || packsRows(shape.pieces) || (haveAliasesExpressions && mayBeHidden(expression));
    items.push(item);
  }
  if (items.length === 0) return mentions;
  if (items.every(isCountOrConstant)) return false;
  if (haveAliasesExpressions && items.some((item) => mayHoldMore(item, expression))) return true;
  if (items.some((item) => holdsWholeRow(item, shape.relations.rows))) return true;
  const isInside = items.some((item) => holdsPersonalName(item, isPersonal));
  return hasNamesOfItsOwn(shape) ? mentions || isInside : isInside;
}

/** Returns true if the statement may rename columns. */
const hasNamesOfItsOwn = ({ isNested, hasRenaming, takesTable, relations }: StatementShape): boolean =>
  isNested || hasRenaming || takesTable || relations.hasDerived || relations.renamesTable;

/** `FOR JSON` and `FOR XML` put all columns of a star into one text. */
const packsRows = (pieces: readonly Piece[]): boolean =>
  pieces.some(
    ({ kind, text }, index) =>
      kind === 'word' && text === 'for' && ['json', 'xml'].includes(pieces[index + 1]?.text ?? ''),
  );

/** Returns true if any part of the statement could return personal data under another name. */
function statementMentions(shape: StatementShape, isPersonal: (name: string) => boolean): boolean {
  const { pieces, takesTable, relations } = shape;
  if (holdsPersonalName(pieces, isPersonal) || takesTable) return true;
  if (relations.renamesTable || relations.givesRow) return true;
  // A star, a row value or a renaming adds columns whose names are not in the text.
  if (!shape.isNested) return shape.hasRenaming && pieces.some(isFreeStar);
  return shape.hasRenaming || relations.takesRow || pieces.some(isStarOfColumns);
}

/** Functions that return an object's members, or a row's columns, without their names. */
const spreading = new Set(
  `json_each json_each_text jsonb_each jsonb_each_text each json_tree svals avals map_values map_entries mapvalues
   jsonextractkeysandvalues jsonextractkeysandvaluesraw struct_values`.split(/\s+/),
);

/** `OPENJSON(…)` returns all members, unless WITH lists them. */
function spreadsMembers(piece: Piece, index: number, pieces: readonly Piece[]): boolean {
  if (!isNamePiece(piece) || !isSign(pieces[index + 1], '(')) return false;
  if (piece.text === 'openjson') return !isWord(pieces[endOfBracket(pieces, index + 1) + 1], 'with');
  return spreading.has(piece.text);
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
    if (isNamePiece(piece)) return isPersonal(piece.text) || spreadsMembers(piece, index, pieces);
    if (piece.kind !== 'string' || !isKeyOfDocument(piece.text, pieces[index - 1])) return false;
    return isPersonal(piece.text) || isAnyMember.test(piece.text);
  });
}

/** Paths to members of any name: `'$.*'`, `'$.contact.**'`. */
const isAnyMember = /^'\$.*\.\*/;

/**
 * Returns true if an item may contain columns that its text does not name. For dialects in which an alias can replace its
 * expression everywhere.
 */
function mayHoldMore(item: readonly Piece[], { shape, mentions, isPersonal }: Expression): boolean {
  if (mentionsText(item, isPersonal) || item.some(isFreeStar)) return true;
  if (!mentions && !mentionsText(shape.pieces, isPersonal) && !shape.pieces.some(isFreeStar)) return false;
  if (hasNamesOfItsOwn(shape)) return true;
  const aliases = expressionAliases(shape.pieces);
  const expression = withoutOwnName(item);
  return expression.some(
    (piece, index) => isNamePiece(piece) && aliases.has(piece.text) && expression[index - 1]?.text !== '.',
  );
}

/** Returns true if a column next to a star may contain columns that the text does not name, under a name of the statement. */
function mayBeHidden({ shape, name, isPersonal }: Expression): boolean {
  if (mentionsText(shape.pieces, isPersonal)) return true;
  const isInside = (piece: Piece, index: number): boolean =>
    isFreeStar(piece, index, shape.pieces) &&
    (piece.text === 'columns' || ['(', '.'].includes(shape.pieces[index - 1]?.text ?? ''));
  if (!shape.pieces.some(isInside)) return false;
  return shape.hasRenaming || expressionAliases(shape.pieces).has(name.toLowerCase());
}

/** Matches `COLUMNS('…')`, and a star that may be an argument, as in `tuple(*)`. The star of `count(*)` selects no columns. */
function isFreeStar(piece: Piece, index: number, pieces: readonly Piece[]): boolean {
  if (piece.kind === 'word' && piece.text === 'columns') return pieces[index + 1]?.text === '(';
  const isArgument = pieces[index - 1]?.text === '(' && pieces[index - 2]?.text !== 'count';
  return (
    isStarOfColumns(piece, index, pieces) || (piece.kind === 'symbol' && piece.text === '*' && isArgument)
  );
}

/** Returns an item without its alias, with AS or without. */
function withoutOwnName(item: readonly Piece[]): readonly Piece[] {
  const expression = withoutAlias(item);
  if (expression.length < item.length || item.length < 2) return expression;
  return isNamePiece(item.at(-1)) && isNamePiece(item.at(-2)) ? item.slice(0, -1) : item;
}

/** Matches a text that names a column: `JSONExtractString(data, 'email')`, `dictGet('people', 'email', id)`. */
const mentionsText = (pieces: readonly Piece[], isPersonal: (name: string) => boolean): boolean =>
  pieces.some(({ kind, text }) => kind === 'string' && isPersonal(text.replaceAll(/^'|'$/g, '')));

/**
 * Matches a key of a document: `data ->> 'email'`, `data['email']`, or a text after the word PATH. Also matches a path at
 * any position, such as `'$.email'` or `'//email/text()'`.
 */
const isKeyOfDocument = (text: string, before: Piece | undefined): boolean =>
  ['>', '[', 'path'].includes(before?.text ?? '') || isPath.test(text);

const isPath = /^'(?:\$|\{|[\s(]*(?:\.{0,2}\/|@))/;

/** Matches `count(…)`, and numbers and texts of the statement, with or without an alias. */
function isCountOrConstant(item: readonly Piece[]): boolean {
  const expression = withoutAlias(item);
  if (
    expression.length > 0 &&
    expression.every((piece) => piece.kind === 'number' || piece.kind === 'string')
  )
    return true;
  const [name, open] = expression;
  if (name?.text !== 'count' || open?.text !== '(') return false;
  let depth = 0;
  for (const [index, piece] of expression.entries()) {
    if (piece.text === '(' && piece.kind === 'symbol') depth++;
    if (piece.text === ')' && piece.kind === 'symbol' && --depth === 0) {
      const rest = expression.slice(index + 1);
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

/** Returns true if a table's name or alias is used as a value: it contains all columns of the row. */
function holdsWholeRow(item: readonly Piece[], rows: ReadonlySet<string>): boolean {
  const expression = withoutAlias(item);
  return expression.some((piece, index) => {
    if (piece.kind === 'symbol' && piece.text === '*') return expression[index - 1]?.text === '.';
    if (!isNamePiece(piece) || !rows.has(piece.text)) return false;
    const after = expression[index + 1]?.text;
    return after !== '.' && after !== '(' && expression[index - 1]?.text !== '.';
  });
}
