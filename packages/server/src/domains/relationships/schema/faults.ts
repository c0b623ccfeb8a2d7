import type { MemberError } from '../../../platform/http/index.ts';
import { mayMatch } from '../../../platform/sql-types/index.ts';
import type { Ends } from '../types.ts';
import type { Schema } from './schema.ts';

/** Returns the faults of the ends, by member. */
export function faultsOf(schema: Schema, { source, target }: Ends): MemberError[] {
  const faults: MemberError[] = [];
  for (const [side, end] of [
    ['source', source],
    ['target', target],
  ] as const) {
    const table = schema.find(end.schema, end.table);
    if (!table)
      faults.push({
        path: `/${side}/table`,
        message: 'is not in the metadata of the data source; refresh it first',
      });
    else
      end.columns.forEach((column, at) => {
        if (!table.columns.some(({ name }) => name === column))
          faults.push({ path: `/${side}/columns/${at}`, message: 'is no column of this table' });
        else if (end.columns.indexOf(column) !== at)
          faults.push({ path: `/${side}/columns/${at}`, message: 'stands there twice' });
      });
  }
  if (source.columns.length !== target.columns.length)
    faults.push({ path: '/target/columns', message: 'must be as many as those of the source' });
  if (faults.length > 0) return faults;
  const typeOf = (end: Ends['source'], at: number): string =>
    schema.find(end.schema, end.table)?.columns.find(({ name }) => name === end.columns[at])?.databaseType ??
    '';
  return source.columns.flatMap((_column, at) =>
    mayMatch(typeOf(source, at), typeOf(target, at))
      ? []
      : [
          {
            path: `/target/columns/${at}`,
            message: `is ${typeOf(target, at)}, which cannot be compared with ${typeOf(source, at)}`,
          },
        ],
  );
}
