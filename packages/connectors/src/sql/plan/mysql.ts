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

/** Members of a block that describe a step and are not steps themselves. */
const mysqlDetails = new Set([
  'cost_info',
  'used_columns',
  'possible_keys',
  'used_key_parts',
  'key_parts',
  'ref',
]);

/** Reads a table of MySQL or MariaDB. Both name it the same, but their numbers differ. */
function mysqlTable(table: Json): Omit<PlanNode, 'depth'> {
  const cost = isObject(table['cost_info']) ? table['cost_info'] : {};
  const key = textOf(table['key']);
  return {
    label: labelOf(
      textOf(table['access_type']) ?? 'Read',
      key && `using ${key}`,
      `on ${textOf(table['table_name']) ?? 'what came before'}`,
    ),
    estimatedRows: numberOf(table['rows_examined_per_scan']) ?? numberOf(table['rows']),
    estimatedCost: numberOf(cost['prefix_cost']) ?? numberOf(table['cost']),
  };
}

/** Reads `EXPLAIN FORMAT=JSON` of MySQL and MariaDB: nested blocks, whose names differ by server and version. */
export function mysqlNodes(plan: unknown): PlanNode[] {
  const { nodes, add } = collectNodes();
  const walk = (name: string, block: Json, depth: number): void => {
    const isTable = name === 'table';
    const cost = isObject(block['cost_info']) ? block['cost_info'] : {};
    add({
      depth,
      ...(isTable
        ? mysqlTable(block)
        : {
            label: spacedText(name),
            estimatedRows: null,
            estimatedCost: numberOf(cost['query_cost']) ?? numberOf(block['cost']),
          }),
    });
    if (depth < depthMax) within(block, depth + 1);
  };
  const list = (name: string, blocks: readonly Json[], depth: number): void => {
    add({ depth, label: spacedText(name), estimatedRows: null, estimatedCost: null });
    if (depth < depthMax) for (const each of blocks) within(each, depth + 1);
  };
  const within = (block: Json, depth: number): void => {
    for (const [name, value] of Object.entries(block)) {
      if (mysqlDetails.has(name)) continue;
      const blocks = Array.isArray(value) ? value.filter(isObject) : [];
      if (isObject(value)) walk(name, value, depth);
      else if (blocks.length > 0) list(name, blocks, depth);
    }
  };
  if (isObject(plan)) within(plan, 0);
  return nodes;
}
