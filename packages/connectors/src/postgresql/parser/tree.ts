/** Node of PostgreSQL's raw syntax tree: its kind and its fields. */
export type PgNode = { readonly kind: string; readonly fields: PgFields };

/** Fields of a node, as the parser's JSON names them. Absent fields have their default: 0, false, empty. */
export type PgFields = { readonly [field: string]: unknown };

const isRecord = (value: unknown): value is PgFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the node in a generic field, `{"Kind": {…}}`. */
export function nodeOf(value: unknown): PgNode | undefined {
  if (!isRecord(value)) return undefined;
  const [entry, ...more] = Object.entries(value);
  if (!entry || more.length > 0 || !/^[A-Z]/.test(entry[0]) || !isRecord(entry[1])) return undefined;
  return { kind: entry[0], fields: entry[1] };
}

/** Returns the fields of a node with one fixed kind, whose name the JSON omits. */
export const fieldsOf = (value: unknown): PgFields | undefined => (isRecord(value) ? value : undefined);

/** Returns the nodes of a list field. */
export const nodesOf = (value: unknown): PgNode[] =>
  Array.isArray(value) ? value.flatMap((item: unknown) => nodeOf(item) ?? []) : [];

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns the texts of a list of String nodes, such as the parts of a name. A star has none. */
export const namesOf = (value: unknown): string[] =>
  nodesOf(value).flatMap(({ kind, fields }) => (kind === 'String' ? [textOf(fields['sval'])] : []));

/** Returns the text of a string constant; undefined for another node. */
export function stringConstant(node: PgNode | undefined): string | undefined {
  if (node?.kind !== 'A_Const') return undefined;
  const value = fieldsOf(node.fields['sval']);
  return value && textOf(value['sval']);
}

/** Statement as the parser returns it. Offsets are UTF-8 bytes. */
export type PgStatement = { readonly node: PgNode; readonly byteOffset: number };

/** Returns the statements of the parser's JSON. */
export function statementsOf(json: string): PgStatement[] {
  const tree: unknown = JSON.parse(json);
  const statements: unknown = fieldsOf(tree)?.['stmts'];
  if (!Array.isArray(statements)) return [];
  return statements.map((statement: unknown) => {
    const node = nodeOf(fieldsOf(statement)?.['stmt']);
    if (!node) throw new Error('The parser has returned a statement without a node.');
    return { node, byteOffset: Number(fieldsOf(statement)?.['stmt_location'] ?? 0) };
  });
}
