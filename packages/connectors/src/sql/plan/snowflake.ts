import { parseDescription } from '../../http/json/bounded-json.ts';
import {
  collectNodes,
  depthMax,
  isObject,
  type Json,
  labelOf,
  nodesMax,
  numberOf,
  type PlanNode,
  spacedName,
  textOf,
} from './node.ts';

/** Steps of Snowflake with changes; `Sequence` takes a number from a sequence. */
const snowflakeWriting =
  /^(insert|update|delete|merge|multitableinsert|unload|copy|create\w*|alter\w*|drop\w*|sequence|put|truncate\w*)$/i;

/**
 * Reads `EXPLAIN USING JSON`: lists of steps, each of which names its parents. The cost of a step is the bytes that
 * it is assigned to read; the cost of the plan is all assigned bytes. Returns undefined for a text that is not a
 * plan.
 */
export function snowflakePlan(
  text: string,
): { readonly nodes: PlanNode[]; readonly writes: boolean } | undefined {
  const plan = parseDescription(text);
  const operations = isObject(plan) ? plan['Operations'] : undefined;
  if (!isObject(plan) || !Array.isArray(operations)) return undefined;
  const { nodes, add } = collectNodes();
  let writes = false;
  for (const list of operations) {
    const steps = Array.isArray(list) ? list.filter(isObject) : [];
    writes ||= steps.some((step) => snowflakeWriting.test(textOf(step['operation']) ?? ''));
    const ids = new Set(steps.map(({ id }) => String(id)));
    const children = Map.groupBy(steps, (step) => String(parentOf(step) ?? ''));
    const walk = (step: Json, depth: number): void => {
      add({ depth, ...snowflakeStep(step) });
      // Steps that share an id also share their children on each level. The limits bound this growth.
      if (depth < depthMax && nodes.length < nodesMax)
        for (const child of children.get(String(step['id'])) ?? []) walk(child, depth + 1);
    };
    for (const step of steps) if (!ids.has(String(parentOf(step) ?? ''))) walk(step, 0);
  }
  const stats = isObject(plan['GlobalStats']) ? plan['GlobalStats'] : {};
  const [outer, ...rest] = nodes;
  const root = outer && { ...outer, estimatedCost: numberOf(stats['bytesAssigned']) };
  return { nodes: root ? [root, ...rest] : [], writes };
}

/** Older plans name one parent. Newer plans have a list, whose first entry is the step's own parent. */
const parentOf = (step: Json): unknown =>
  Array.isArray(step['parentOperators']) ? step['parentOperators'][0] : step['parent'];

function snowflakeStep(step: Json): Omit<PlanNode, 'depth'> {
  const objects = Array.isArray(step['objects']) ? step['objects'] : [];
  const table = textOf(objects[0]);
  const [assigned, total] = [numberOf(step['partitionsAssigned']), numberOf(step['partitionsTotal'])];
  return {
    label: labelOf(
      spacedName(textOf(step['operation']) ?? 'Step'),
      table && `on ${table}`,
      assigned !== null && total !== null && `(${assigned} of ${total} partitions)`,
    ),
    estimatedRows: null,
    estimatedCost: numberOf(step['bytesAssigned']),
  };
}
