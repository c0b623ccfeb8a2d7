/** `schema.table`; the table alone where the engine has no schemas. */
export const tableName = ({
  schemaName,
  tableName: name,
}: {
  readonly schemaName: string;
  readonly tableName: string;
}): string => (schemaName === '' ? name : `${schemaName}.${name}`);
