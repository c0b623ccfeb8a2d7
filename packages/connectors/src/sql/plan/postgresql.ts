import {
  collectNodes,
  depthMax,
  isObject,
  type Json,
  labelOf,
  numberOf,
  type PlanNode,
  textOf,
} from './node.ts';

/** Reads a node of `EXPLAIN (FORMAT JSON)`: Node Type, Relation Name, Index Name, Plan Rows, Total Cost, Plans. */
export function postgresqlNodes(plan: unknown): PlanNode[] {
  const { nodes, add } = collectNodes();
  const walk = (node: Json, depth: number): void => {
    const relation = textOf(node['Relation Name']);
    const index = textOf(node['Index Name']);
    const join = textOf(node['Join Type']);
    add({
      depth,
      label: labelOf(
        join === undefined || join === 'Inner' ? undefined : join,
        textOf(node['Node Type']) ?? 'Step',
        index && `using ${index}`,
        relation && `on ${relation}`,
      ),
      estimatedRows: numberOf(node['Plan Rows']),
      estimatedCost: numberOf(node['Total Cost']),
    });
    const children = Array.isArray(node['Plans']) ? node['Plans'].filter(isObject) : [];
    if (depth < depthMax) for (const child of children) walk(child, depth + 1);
  };
  if (isObject(plan)) walk(plan, 0);
  return nodes;
}
