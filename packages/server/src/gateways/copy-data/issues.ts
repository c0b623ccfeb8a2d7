import type { Column } from '@svc/connectors';
import type { Destination, DestinationTable } from '@svc/connectors/writers';
import type { DataSourceTarget } from '../run-sql/index.ts';
import { issue, type Mapping, warning } from './mapping.ts';
import type { PersonalGate } from './personal.ts';
import type { CopyDefinition, CopyIssue } from './request.ts';
import { canBeIncremental } from './source-statement.ts';

export type Looked = {
  readonly definition: CopyDefinition;
  readonly sourceColumns: readonly Column[];
  readonly gate: Pick<PersonalGate, 'isPersonal'>;
  readonly destination: Destination;
  readonly mapping: Mapping;
  readonly keyColumns: readonly string[];
};

/** Returns the errors that prevent a copy and the warnings for its user. */
export const issuesOf = (looked: Looked): readonly CopyIssue[] => [
  ...sameTable(looked),
  ...place(looked),
  ...looked.mapping.issues,
  ...keys(looked),
  ...incremental(looked),
  ...personal(looked),
];

function sameTable({ definition }: Looked): CopyIssue[] {
  const { source, destination, dataSource, destinationDataSource } = definition;
  const isSame =
    source.kind === 'Table' &&
    isSameDatabase(dataSource, destinationDataSource) &&
    source.schema === destination.schema &&
    source.table === destination.table;
  return isSame ? [issue('same-table', null, 'The source and the destination are the same table.')] : [];
}

/** Compares engine, host, port and database. One database under two host names counts as two. */
function isSameDatabase(one: DataSourceTarget, other: DataSourceTarget): boolean {
  if (one.id === other.id) return true;
  const [first, second] = [placeOf(one), placeOf(other)];
  return first !== undefined && first === second;
}

function placeOf({ engine, connection }: DataSourceTarget): string | undefined {
  if (typeof connection !== 'object' || connection === null || !('host' in connection)) return undefined;
  const { host, port, database } = connection as { host: unknown; port?: unknown; database?: unknown };
  return JSON.stringify([engine, String(host).toLowerCase(), port, database]);
}

function place({ definition, destination }: Looked): CopyIssue[] {
  const { schema, table: name } = definition.destination;
  const { table, missingToCreate } = destination;
  if (table) return tablePlace(definition, table);
  if (!definition.createsTable) {
    return [issue('no-destination', null, `There is no table ${schema}.${name}.`)];
  }
  return missingToCreate.map((lacks) =>
    issue('missing-privilege', null, `The login of the destination lacks ${lacks}.`),
  );
}

function tablePlace({ mode, destination }: CopyDefinition, table: DestinationTable): CopyIssue[] {
  const name = `${destination.schema}.${destination.table}`;
  if (!table.isTable) return [issue('not-a-table', null, `${name} is a view or no table of its own.`)];
  return [
    ...table.unfit.map((why) => issue('not-transactional', null, `${name} cannot be written to: ${why}.`)),
    ...table.missingPrivileges[mode].map((lacks) =>
      issue('missing-privilege', null, `The login of the destination lacks ${lacks}.`),
    ),
    ...(table.hidesRows && mode !== 'Insert'
      ? [issue('row-security', null, `${name} hides rows from the login: they cannot be compared.`)]
      : []),
    ...(table.hasTriggers
      ? [warning('triggers', null, `${name} has triggers, which run with the copy.`)]
      : []),
    ...table.cascades[mode].map(({ schema, table: other, become }) =>
      warning(
        'cascade',
        null,
        `${mode} deletes rows: rows of ${schema}.${other} that refer to them are ${become} as well.`,
      ),
    ),
  ];
}

function keys({ definition: { mode }, destination: { table }, mapping, keyColumns }: Looked): CopyIssue[] {
  if (mode !== 'Upsert' && mode !== 'Sync') return [];
  if (keyColumns.length === 0) {
    return [
      issue(
        'key-missing',
        null,
        'The destination has no primary key: name the columns that tell rows apart.',
      ),
    ];
  }
  const missing = keyColumns.filter((key) => mapping.columns.every(({ to }) => to !== key));
  const isUnique = (table?.uniqueKeys ?? [keyColumns]).some(
    (unique) => unique.length === keyColumns.length && unique.every((name) => keyColumns.includes(name)),
  );
  return [
    ...missing.map((key) =>
      issue('key-missing', key, `No column of the source gives the key column ${key}.`),
    ),
    ...(isUnique
      ? []
      : [issue('key-not-unique', null, `The destination has no unique key of ${keyColumns.join(', ')}.`)]),
  ];
}

/** `Truncate` and `Sync` would delete the rows that an incremental copy does not read. */
function incremental({ definition, sourceColumns }: Looked): CopyIssue[] {
  const { incremental: requested, mode } = definition;
  if (!requested) return [];
  const column = sourceColumns.find(({ name }) => name === requested.column);
  const replaces = mode === 'Truncate' || mode === 'Sync';
  if (definition.dataSource.engine === 'Rest') {
    const message = 'A copy from a REST API reads all rows: it cannot go on from the last one.';
    return [issue('incremental-mode', requested.column, message)];
  }
  return [
    ...(mode === 'Insert' && requested.lookbackSeconds > 0
      ? [
          issue(
            'incremental-mode',
            requested.column,
            'Rows that a look-back reads again would be inserted once more: choose Upsert.',
          ),
        ]
      : []),
    ...(replaces
      ? [
          issue(
            'incremental-mode',
            requested.column,
            `${mode} needs all rows: it cannot go on from the last copy.`,
          ),
        ]
      : []),
    ...(column && canBeIncremental(column) && isLookbackFit(column, requested.lookbackSeconds)
      ? []
      : [
          issue(
            'incremental-column',
            requested.column,
            `A copy goes on from the last one by a column of the source with times, with numbers and no look-back; ${requested.column} is none.`,
          ),
        ]),
  ];
}

const isLookbackFit = ({ kind }: Column, lookbackSeconds: number): boolean =>
  lookbackSeconds === 0 || (kind !== 'integer' && kind !== 'decimal');

function personal({ definition: { personalData }, mapping, gate }: Looked): CopyIssue[] {
  if (personalData === 'Mask') return [];
  return mapping.columns
    .filter(({ index }) => gate.isPersonal(index))
    .map(({ source: { name } }) =>
      personalData === 'Refuse'
        ? issue('personal-data', name, `${name} may hold personal data, which this copy refuses.`)
        : warning('personal-data', name, `${name} may hold personal data, and is copied as it is.`),
    );
}
