import type { Column, ColumnKind } from '@svc/connectors';
import type { DestinationColumn, DestinationTable } from '@svc/connectors/writers';
import { changesZone, isConvertible } from './convertible.ts';
import { newKindOf } from './new-kind.ts';
import type { CopyDefinition, CopyIssue, CopyIssueCode } from './request.ts';

/** A pair of a source column and a destination column. */
export type Mapped = {
  /** Zero-based position in the source's rows. */
  readonly index: number;
  readonly source: Column;
  readonly to: string;
  /** Undefined for a column of a table that the copy creates. */
  readonly destination: DestinationColumn | undefined;
  /** Kind of the cells that the writer receives. For a new table it has the full range of the source column. */
  readonly kind: ColumnKind;
};

export type Mapping = { readonly columns: readonly Mapped[]; readonly issues: readonly CopyIssue[] };

/** Returns an error of the definition. A retry does not resolve it. */
export const issue = (code: CopyIssueCode, column: string | null, message: string): CopyIssue => ({
  severity: 'Error',
  reason: 'schema-changed',
  code,
  column,
  message,
});

export const warning = (code: CopyIssueCode, column: string | null, message: string): CopyIssue => ({
  ...issue(code, column, message),
  severity: 'Warning',
});

type Engines = { readonly source: string; readonly destination: string };
type Pair = { readonly from: string; readonly to: string };

/** Maps source columns to destination columns and returns the issues of the mapping. */
export function mapColumns(
  source: readonly Column[],
  table: DestinationTable | undefined,
  requestedPairs: CopyDefinition['columns'],
  engines: Engines,
): Mapping {
  const pairs = requestedPairs ?? pairsByName(source, table);
  const issues: CopyIssue[] = [];
  const columns = pairs.flatMap((pair): Mapped[] => {
    const mapped = mapPair(pair, source, table, engines);
    if ('code' in mapped) issues.push(mapped);
    return 'code' in mapped ? [] : [mapped];
  });
  if (columns.length === 0) {
    issues.push(issue('no-columns', null, 'No column of the source has a place at the destination.'));
  }
  return {
    columns,
    issues: [
      ...issues,
      ...doubledColumns(pairs),
      ...columns.flatMap(typeIssue),
      ...columnsWithoutSource(columns, table),
      ...(requestedPairs === null ? unusedColumns(source, columns) : []),
    ],
  };
}

/** Matches by the exact name, else by a unique name that differs only in case. Generated columns are not matched. */
function pairsByName(source: readonly Column[], table: DestinationTable | undefined): Pair[] {
  if (!table) return source.map(({ name }) => ({ from: name, to: name }));
  const open = table.columns.filter(({ isGenerated }) => !isGenerated).map(({ name }) => name);
  return source.flatMap(({ name }) => {
    const alike = open.filter((other) => other.toLowerCase() === name.toLowerCase());
    const to = open.includes(name) ? name : alike.length === 1 ? alike[0] : undefined;
    return to === undefined ? [] : [{ from: name, to }];
  });
}

function mapPair(
  { from, to }: Pair,
  source: readonly Column[],
  table: DestinationTable | undefined,
  engines: Engines,
): Mapped | CopyIssue {
  const index = source.findIndex(({ name }) => name === from);
  const column = source[index];
  if (!column) return issue('source-column-missing', from, `The source has no column ${from}.`);
  if (source.some(({ name }, other) => other !== index && name === from)) {
    return issue('column-twice', from, `The source has two columns ${from}.`);
  }
  const destination = table?.columns.find(({ name }) => name === to);
  if (table && !destination) {
    return issue('destination-column-missing', to, `The destination has no column ${to}.`);
  }
  if (destination?.isGenerated) {
    return issue('generated-column', to, `The destination computes ${to}: nothing can be written to it.`);
  }
  const kind = destination ? column.kind : newKindOf(column, engines.source, engines.destination);
  return { index, source: column, to, destination, kind };
}

function doubledColumns(pairs: readonly Pair[]): CopyIssue[] {
  const doubled = pairs.map(({ to }) => to).filter((to, index, all) => all.indexOf(to) !== index);
  return [...new Set(doubled)].map((to) =>
    issue('column-twice', to, `Two columns of the source go into ${to}.`),
  );
}

function typeIssue({ source, to, destination }: Mapped): CopyIssue[] {
  if (!destination) return [];
  const types = `${source.databaseType} of the source and ${destination.databaseType} of the destination`;
  if (!isConvertible(source.kind, destination.kind)) {
    const remedy = 'Convert it in a query.';
    return [issue('type-not-convertible', to, `The types of ${to} do not go together: ${types}. ${remedy}`)];
  }
  if (!changesZone(source.kind, destination.kind)) return [];
  return [warning('time-zone', to, `One side of ${to} has a time zone: ${types}. Times are taken as UTC.`)];
}

function columnsWithoutSource(columns: readonly Mapped[], table: DestinationTable | undefined): CopyIssue[] {
  const mapped = new Set(columns.map(({ to }) => to));
  return (table?.columns ?? [])
    .filter(({ name, isNullable, hasDefault, isGenerated }) => {
      return !mapped.has(name) && !isNullable && !hasDefault && !isGenerated;
    })
    .map(({ name }) =>
      issue(
        'column-without-source',
        name,
        `The destination needs a value in ${name}, which no column gives.`,
      ),
    );
}

function unusedColumns(source: readonly Column[], columns: readonly Mapped[]): CopyIssue[] {
  const used = new Set(columns.map(({ index }) => index));
  return source
    .filter((_column, index) => !used.has(index))
    .map(({ name }) =>
      warning('source-column-unused', name, `The destination has no column ${name}: it is not copied.`),
    );
}
