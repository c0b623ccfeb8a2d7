import type { SignalRow } from '../signal-store.ts';
import type { Join } from '../statements/read-statement.ts';
import type { SchemaNames } from '../statements/schema-names.ts';
import { corrections, isAnswered } from './corrections.ts';
import type { Pattern } from './pattern.ts';

/** Minimum numbers of signals and callers for a common query, in addition to the minimum of every pattern. */
const commonSignalsMin = 3;
const commonCallersMin = 2;
const gapSignalsMin = 5;
const gapRefusedShareMin = 0.3;
const gapColumnsMax = 8;

type KeyEnd = { readonly schema: string; readonly table: string; readonly columns: readonly string[] };
export type Key = { readonly source: KeyEnd; readonly target: KeyEnd };

/** Returns patterns from the signals of one data source in one project, oldest signals first. Reads nothing. */
export function mine(signals: readonly SignalRow[], schema: SchemaNames, keys: readonly Key[]): Pattern[] {
  const answered = signals.filter(isAnswered);
  return [
    ...corrections(signals, schema),
    ...joins(answered, keys),
    ...commonQueries(answered),
    ...gaps(signals, schema),
  ];
}

const counts = (signals: readonly SignalRow[]) => ({
  signalCount: signals.length,
  callerCount: new Set(signals.map(({ callerHash }) => callerHash)).size,
});

/** Returns successful joins that no known key covers. */
function joins(answered: readonly SignalRow[], keys: readonly Key[]): Pattern[] {
  const declaredJoins = new Set(
    keys.flatMap(({ source, target }) => [...pairsOf(source, target), ...pairsOf(target, source)]),
  );
  const seen = answered.flatMap((signal) => signal.joins.map((join) => ({ join, signal })));
  return [...Map.groupBy(seen, ({ join }) => JSON.stringify(join))].flatMap(([identity, all]): Pattern[] => {
    const [table, column, otherTable, otherColumn]: Join = all[0]?.join ?? ['', '', '', ''];
    if (declaredJoins.has(identity)) return [];
    return [
      {
        kind: 'JoinPattern',
        identity,
        table,
        column,
        content: { kind: 'JoinPattern', column, otherTable, otherColumn },
        ...counts(all.map(({ signal }) => signal)),
      },
    ];
  });
}

const nameOf = ({ schema, table }: KeyEnd): string => (schema === '' ? table : `${schema}.${table}`);
/** Returns each pair of columns of a key in the format of a join. */
const pairsOf = (one: KeyEnd, other: KeyEnd): string[] =>
  one.columns.map((column, at) =>
    JSON.stringify([nameOf(one), column, nameOf(other), other.columns[at] ?? '']),
  );

/** Returns statements that several callers sent, regardless of their values. */
function commonQueries(answered: readonly SignalRow[]): Pattern[] {
  return [...Map.groupBy(answered, ({ shape }) => shape)].flatMap(([statement, all]): Pattern[] => {
    const { signalCount, callerCount } = counts(all);
    const [table, ...more] = all[0]?.tables ?? [];
    if (statement === null || table === undefined) return [];
    if (signalCount < commonSignalsMin || callerCount < commonCallersMin) return [];
    return [
      {
        kind: 'CommonQuery',
        identity: statement,
        table,
        column: null,
        content: { kind: 'CommonQuery', tables: [table, ...more], statement },
        signalCount,
        callerCount,
      },
    ];
  });
}

/** Returns undocumented tables whose statements often fail. */
function gaps(signals: readonly SignalRow[], schema: SchemaNames): Pattern[] {
  const uses = signals.flatMap((signal) => signal.tables.map((table) => ({ table, signal })));
  return [...Map.groupBy(uses, ({ table }) => table)].flatMap(([table, all]): Pattern[] => {
    const own = all.map(({ signal }) => signal);
    const refused = own.filter((signal) => !isAnswered(signal)).length;
    const isPoor = own.length >= gapSignalsMin && refused / own.length > gapRefusedShareMin;
    if (!isPoor || schema.table(table)?.hasComment !== false) return [];
    return [
      {
        kind: 'DocumentationGap',
        identity: table,
        table,
        column: null,
        content: { kind: 'DocumentationGap', ...usesOf(table, own.filter(isAnswered)) },
        ...counts(own),
      },
    ];
  });
}

/** Returns the most used columns of a table, and the tables that statements join with it. */
function usesOf(table: string, answered: readonly SignalRow[]) {
  const columns = answered.flatMap((signal) => signal.columns.filter(([of]) => of === table));
  const counted = [...Map.groupBy(columns, ([, column]) => column)]
    .map(([column, all]) => ({ column, count: all.length }))
    .toSorted((a, b) => b.count - a.count || (a.column < b.column ? -1 : 1));
  const joined = answered.flatMap((signal) =>
    signal.joins.flatMap(([one, , other]) => (one === table ? [other] : other === table ? [one] : [])),
  );
  return {
    columns: counted.slice(0, gapColumnsMax).map(({ column }) => column),
    joined: [...new Set(joined)].sort(),
  };
}
