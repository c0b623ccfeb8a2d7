import {
  collectNodes,
  depthMax,
  isObject,
  type Json,
  labelOf,
  numberOf,
  type PlanNode,
  spacedText,
  textOf,
} from './node.ts';

/** Reads a node of DuckDB's `EXPLAIN (FORMAT JSON)`: name, children, extra_info with an estimate and the table. */
export function duckdbNodes(plan: unknown): PlanNode[] {
  const { nodes, add } = collectNodes();
  const walk = (node: Json, depth: number): void => {
    const info = isObject(node['extra_info']) ? node['extra_info'] : {};
    const table = textOf(info['Table']);
    const join = textOf(info['Join Type']);
    add({
      depth,
      label: labelOf(
        spacedText(textOf(node['name']) ?? 'Step').toLowerCase(),
        join && join !== 'INNER' && `(${join.toLowerCase()})`,
        table && `on ${table}`,
      ),
      estimatedRows: numberOf(info['Estimated Cardinality']),
      estimatedCost: null,
    });
    const children = Array.isArray(node['children']) ? node['children'].filter(isObject) : [];
    if (depth < depthMax) for (const child of children) walk(child, depth + 1);
  };
  const [outer] = Array.isArray(plan) ? plan : [plan];
  if (isObject(outer)) walk(outer, 0);
  return nodes;
}
