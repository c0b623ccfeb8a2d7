import {
  collectNodes,
  depthMax,
  isObject,
  type Json,
  labelOf,
  type PlanNode,
  spacedName,
  textOf,
} from './node.ts';

/** Reads `EXPLAIN json = 1` of ClickHouse: Node Type, Plans. The description of a reading step is its table. */
export function clickhouseNodes(plan: unknown): PlanNode[] {
  const { nodes, add } = collectNodes();
  const walk = (node: Json, depth: number): void => {
    const type = textOf(node['Node Type']) ?? 'Step';
    const table = /^ReadFrom/.test(type) ? textOf(node['Description']) : undefined;
    add({
      depth,
      label: labelOf(spacedName(type), table && `on ${table}`),
      estimatedRows: null,
      estimatedCost: null,
    });
    const children = Array.isArray(node['Plans']) ? node['Plans'].filter(isObject) : [];
    if (depth < depthMax) for (const child of children) walk(child, depth + 1);
  };
  const [outer] = Array.isArray(plan) ? plan : [plan];
  if (isObject(outer) && isObject(outer['Plan'])) walk(outer['Plan'], 0);
  return nodes;
}
