import { type Knowledge, tableNameOf } from '../../grounding/index.ts';
import type { ReadStatement } from '../../learning/index.ts';

/** Engines that compare texts without case by default. */
const caseless: ReadonlySet<string> = new Set(['MySQL']);
const shownMax = 60;

/** Returns the same key for values that an engine may treat as equal: numbers in any notation, texts with trailing spaces. */
function keyOf(value: string, engine: string): string {
  const text = value.trimEnd();
  const number = Number(text);
  if (text !== '' && Number.isFinite(number)) return String(number);
  return caseless.has(engine) ? text.toLowerCase() : text;
}

/** Returns advice for compared values that are not among the known values of a column. Reads no row. */
export function unknownValueAdvice(
  { comparisons }: Pick<ReadStatement, 'comparisons'>,
  { engine, values }: Pick<Knowledge, 'engine' | 'values'>,
): string[] {
  const byColumn = Map.groupBy(values, ({ schema, table, column }) =>
    JSON.stringify([tableNameOf({ schema, name: table }), column]),
  );
  const advice = comparisons.flatMap(({ column, value }) => {
    const lists = byColumn.get(JSON.stringify(column)) ?? [];
    if (value === null || lists.length === 0) return [];
    const isKnown = lists.some((list) =>
      list.values.some((one) => keyOf(one, engine) === keyOf(value, engine)),
    );
    if (isKnown) return [];
    const shown = value.length > shownMax ? `${value.slice(0, shownMax).toWellFormed()}…` : value;
    return [
      `It compares ${column.join('.')} with ${JSON.stringify(shown)}, which is none of its known values.`,
    ];
  });
  return [...new Set(advice)];
}
