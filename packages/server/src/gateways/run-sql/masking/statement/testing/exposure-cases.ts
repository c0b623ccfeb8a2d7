import { type Column, duckdbDialect, type SqlDialect } from '@svc/connectors';
import { expect } from 'vitest';
import { isPersonalName } from '../../rules.ts';
import { exposedColumns } from '../exposure.ts';

export const column = (
  name: string,
  kind: Column['kind'] = 'text',
  origin: Column['origin'] = null,
): Column => ({
  name,
  kind,
  databaseType: 'text',
  origin,
});

/** Returns for each column of a statement whether it is masked. */
export const exposed = (sql: string, columns: Column[], dialect: SqlDialect = duckdbDialect) =>
  exposedColumns({ sql, dialect, columns, isPersonal: isPersonalName });

/** Columns of a statement by name, and the expected masking of each. */
export type ExposureCase = readonly [sql: string, names: readonly string[], areMasked: readonly boolean[]];

export const expectExposed = (cases: readonly ExposureCase[], dialect?: SqlDialect): void => {
  for (const [sql, names, areMasked] of cases) {
    const columns = names.map((name) => column(name));
    expect([sql, exposed(sql, columns, dialect)]).toEqual([sql, areMasked]);
  }
};
