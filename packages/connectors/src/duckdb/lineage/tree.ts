/** A node of DuckDB's serialised syntax tree. */
export type DuckNode = { readonly [field: string]: unknown };

const isNode = (value: unknown): value is DuckNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const nodeOf = (value: unknown): DuckNode | undefined => (isNode(value) ? value : undefined);

export const nodesOf = (value: unknown): DuckNode[] => (Array.isArray(value) ? value.filter(isNode) : []);

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A name as the engine compares it: without case. */
export const nameOf = (value: unknown): string => textOf(value).toLowerCase();

/** Names of a list. */
export const namesOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(nameOf) : []);

/** The text of a constant; undefined for another node. */
export function textConstant(node: DuckNode | undefined): string | undefined {
  if (node?.['class'] === 'CAST') return textConstant(nodeOf(node['child']));
  if (node?.['class'] !== 'CONSTANT') return undefined;
  const value = nodeOf(node['value'])?.['value'];
  return typeof value === 'string' ? value : undefined;
}
