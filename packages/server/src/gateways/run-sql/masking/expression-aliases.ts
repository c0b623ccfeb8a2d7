import { isNamePiece, type Piece } from './pieces.ts';

/** Words that an expression or a table follows. A name after such a word is not an alias. */
const beforeName = new Set(
  `select distinct all where prewhere and or not in on by having case when then else between like ilike from join limit
   offset using with recursive interval is any semi anti asof array over partition order group union except intersect
   global left right inner full cross qualify window top settings format div mod explain describe show`.split(
    /\s+/,
  ),
);

/**
 * Returns the aliases of expressions, with or without AS. In some engines another item can use an alias instead of the
 * expression. The result may contain too many names, but not too few. It excludes aliases of tables.
 */
export function expressionAliases(pieces: readonly Piece[]): ReadonlySet<string> {
  const aliases = new Set<string>();
  let isInFrom = false;
  for (const [index, piece] of pieces.entries()) {
    const before = pieces[index - 1];
    if (piece.kind === 'word' && (piece.text === 'from' || piece.text === 'join'))
      isInFrom = before?.text !== 'array';
    else if (
      piece.kind === 'word' &&
      ['select', 'where', 'prewhere', 'group', 'order', 'with'].includes(piece.text)
    )
      isInFrom = false;
    else if (!isInFrom && isNamePiece(piece) && isBehindExpression(before)) aliases.add(piece.text);
  }
  return aliases;
}

function isBehindExpression(before: Piece | undefined): boolean {
  if (before === undefined) return false;
  if (before.kind === 'symbol') return before.text === ')' || before.text === ']';
  return before.kind !== 'word' || !beforeName.has(before.text);
}
