import type { TableMetadata } from '@svc/connectors';
import { proposalsFor } from '../../packages/server/src/domains/relationships/schema/infer.ts';
import { schemaOf } from '../../packages/server/src/domains/relationships/schema/schema.ts';
import type { Bench } from '../run/bench.ts';
import type { Figure } from '../run/result.ts';
import { type BenchTable, readGold, readTables } from '../search/cases.ts';

/** Compares relationships that names suggest with joins that users wrote over the same tables. */
export const bench: Bench = {
  purpose:
    'relationships proposed from names alone, against the joins of the statements that answer 192 questions',
  run: async () => {
    const tables = readTables();
    const joined = joinsOf(tables);
    const proposed = new Set(
      [...Map.groupBy(tables, ({ name }) => name.split('.')[0] ?? '').values()].flatMap((some) =>
        proposalsFor(schemaOf({ tables: some.map(metadataOf) })).map(({ source, target }) =>
          pairOf(
            `${source.schema}.${source.table}.${source.columns[0]}`,
            `${target.schema}.${target.table}.${target.columns[0]}`,
          ),
        ),
      ),
    );
    const proposedJoins = [...joined].filter((pair) => proposed.has(pair));
    const used = [...proposed].filter((pair) => joined.has(pair));
    // A column without any join in the statements does not count for or against a proposal.
    const judged = [...proposed].filter((pair) => pair.split(' ').every((end) => isJoined(end, joined)));
    return [
      figure(`joins that were proposed, of ${joined.size}`, proposedJoins.length / joined.size),
      figure(`proposals that a statement joins by, of ${proposed.size}`, used.length / proposed.size),
      figure(`of the ${judged.length} between columns that statements join by`, used.length / judged.length),
    ];
  },
};

const isJoined = (end: string, joins: ReadonlySet<string>): boolean =>
  [...joins].some((pair) => pair.split(' ').includes(end));

/** Returns two columns in a fixed order. */
const pairOf = (one: string, other: string): string =>
  [one.toLowerCase(), other.toLowerCase()].sort().join(' ');

function metadataOf({ name, columns }: BenchTable): TableMetadata {
  const [schema = '', table = ''] = name.split('.');
  return {
    schema,
    name: table,
    type: 'Table',
    comment: null,
    primaryKey: [],
    foreignKeys: [],
    indexes: [],
    columns: columns.map((column) => ({
      name: column.name,
      databaseType: column.type,
      comment: column.comment,
      isNullable: true,
      defaultValue: null,
    })),
  };
}

/** Returns the equalities between columns of two tables in the gold statements, with aliases resolved. */
function joinsOf(tables: readonly BenchTable[]): ReadonlySet<string> {
  const columns = new Set(
    tables.flatMap(({ name, columns: some }) => some.map((column) => `${name}.${column.name}`.toLowerCase())),
  );
  const joins = new Set<string>();
  for (const { schema, statements } of readGold()) {
    for (const statement of statements.toLowerCase().split(';')) {
      const named = new Map<string, string>();
      for (const [, table = '', alias] of statement.matchAll(
        /\b(?:from|join|,)\s+"?(?:\w+\.)?(\w+)"?(?:\s+(?:as\s+)?(?!on\b|where\b|join\b|left\b|inner\b|group\b|order\b)(\w+))?/g,
      )) {
        named.set(table, table);
        if (alias !== undefined) named.set(alias, table);
      }
      for (const [, left = '', a, right = '', b] of statement.matchAll(/(\w+)\.(\w+)\s*=\s*(\w+)\.(\w+)/g)) {
        const one = `${schema}.${named.get(left)}.${a}`;
        const other = `${schema}.${named.get(right)}.${b}`;
        const isOfTwo = named.get(left) !== named.get(right);
        if (isOfTwo && columns.has(one) && columns.has(other)) joins.add(pairOf(one, other));
      }
    }
  }
  return joins;
}

function figure(title: string, rate: number): Figure {
  process.stdout.write(`${title.padEnd(56)} ${(rate * 100).toFixed(1)} %\n`);
  return {
    title,
    unit: 'share',
    against: 'all',
    values: [],
    floorValues: [],
    ratios: [Math.round(rate * 10_000) / 10_000],
    target: null,
    pairs: null,
  };
}
