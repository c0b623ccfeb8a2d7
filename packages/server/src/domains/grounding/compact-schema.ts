import { type GroundedTable, type KnownKey, tableNameOf } from './knowledge.ts';

const tableCommentMax = 160;
const columnCommentMax = 80;

type Extent = {
  /**
   * Returns true when columns of this name are masked: a model can count and compare their values, but not see them.
   */
  readonly isPersonal: (column: string) => boolean;
  readonly hasComments: boolean;
};

const shortComment = (comment: string | null, lengthMax: number): string =>
  (comment ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, lengthMax).toWellFormed();

/**
 * Formats a table as one line with columns, types, keys and comments, such as
 * `orders(id int4 key, email text masked, customer_id int4 -> customers.id) -- Orders of customers`.
 */
export function compactTable(table: GroundedTable, keys: readonly KnownKey[], extent: Extent): string {
  const primary = new Set(table.primaryKey);
  const tableKeys = keys.filter(
    ({ source }) => source.schema === table.schema && source.table === table.name,
  );
  const single = new Map(
    tableKeys.flatMap(({ source, target }) => {
      const [column, ...more] = source.columns;
      return column === undefined || more.length > 0 ? [] : [[column, `-> ${endOf(target)}`] as const];
    }),
  );
  const columns = table.columns.map(({ name, databaseType, comment }) => {
    const about = extent.hasComments ? shortComment(comment, columnCommentMax) : '';
    return [
      name,
      databaseType,
      primary.has(name) ? 'key' : '',
      extent.isPersonal(name) ? 'masked' : '',
      single.get(name) ?? '',
      about && `"${about}"`,
    ]
      .filter(Boolean)
      .join(' ');
  });
  const wide = tableKeys
    .filter(({ source }) => source.columns.length > 1)
    .map(({ source, target }) => `(${source.columns.join(', ')}) -> ${endOf(target)}`);
  const about = extent.hasComments ? shortComment(table.comment, tableCommentMax) : '';
  const kind = table.type === 'View' ? 'view ' : '';
  return `${kind}${tableNameOf(table)}(${[...columns, ...wide].join(', ')})${about && ` -- ${about}`}`;
}

const endOf = ({ schema, table, columns }: KnownKey['target']): string => {
  const name = tableNameOf({ schema, name: table });
  return columns.length === 1 ? `${name}.${columns[0]}` : `${name}(${columns.join(', ')})`;
};
