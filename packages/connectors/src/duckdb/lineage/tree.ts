/** A node of DuckDB's serialised syntax tree. */
export type DuckNode = { readonly [field: string]: unknown };

const isNode = (value: unknown): value is DuckNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const nodeOf = (value: unknown): DuckNode | undefined => (isNode(value) ? value : undefined);

export const nodesOf = (value: unknown): DuckNode[] => (Array.isArray(value) ? value.filter(isNode) : []);

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns a name in lower case, because the engine compares names without case. */
export const nameOf = (value: unknown): string => textOf(value).toLowerCase();

/** Returns the names of a list in lower case. */
export const namesOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(nameOf) : []);

/** Returns the text of a constant, with or without casts; undefined for any other node. */
export function textConstant(node: DuckNode | undefined): string | undefined {
  if (node?.['class'] === 'CAST') return textConstant(nodeOf(node['child']));
  if (node?.['class'] !== 'CONSTANT') return undefined;
  const value = nodeOf(node['value'])?.['value'];
  return typeof value === 'string' ? value : undefined;
}
