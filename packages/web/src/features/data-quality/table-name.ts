/** Returns `schema.table`, or the table alone for engines without schemas. */
export const tableName = ({
  schemaName,
  tableName: name,
}: {
  readonly schemaName: string;
  readonly tableName: string;
}): string => (schemaName === '' ? name : `${schemaName}.${name}`);
