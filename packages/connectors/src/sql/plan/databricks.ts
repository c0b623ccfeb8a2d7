import { collectNodes, labelOf, numberOf, type PlanNode, spacedName } from './node.ts';

/** Steps of Spark that change data, or run a program. */
const databricksWriting =
  /^(?:\w*command\w*|insert\w*|append\w*|overwrite\w*|update\w*|delete\w*|merge\w*|create\w*|replace\w*|drop\w*|alter\w*|truncate\w*|write\w*|save\w*|call\w*|scripttransformation\w*|scripttransform\w*)$/i;

/** Text of `EXPLAIN` in place of a plan. The reason is on the following lines. */
const noDatabricksPlan = 'Error occurred during query planning:';

/** Matches a step, one per line, below its parent: `+- Filter (…), Statistics(sizeInBytes=36.3 MiB, rowCount=12)`. */
const databricksLine = /^((?:[ :]{3})*(?:[+:]- )?)([A-Z]\w*)(.*)$/;

/**
 * Reads `EXPLAIN COST`: the optimized plan with the output of each step. The cost of a step is the bytes of the
 * tables below it. Returns undefined for a text that is not a plan, with the reason if there is one.
 */
export function databricksPlan(text: string): {
  readonly plan: { readonly nodes: PlanNode[]; readonly writes: boolean } | undefined;
  readonly reason: string | undefined;
} {
  const at = text.indexOf(noDatabricksPlan);
  if (at !== -1) return { plan: undefined, reason: text.slice(at + noDatabricksPlan.length).trim() };
  const section = /== Optimized Logical Plan ==\n([\s\S]*?)(?:\n==|$)/.exec(text)?.[1];
  const steps = section?.split('\n').flatMap((line) => databricksStep(line)) ?? [];
  if (steps.length === 0) return { plan: undefined, reason: undefined };
  const { nodes, add } = collectNodes();
  for (const [index, { node, isTable }] of steps.entries()) {
    const end = steps.findIndex((other, later) => later > index && other.node.depth <= node.depth);
    const below = steps.slice(index, end === -1 ? undefined : end).filter((step) => step.isTable);
    const cost = below.reduce((sum, step) => sum + (step.node.estimatedCost ?? 0), 0);
    add({ ...node, estimatedCost: isTable ? node.estimatedCost : cost });
  }
  const writes = steps.some(({ operator }) => databricksWriting.test(operator));
  return { plan: { nodes, writes }, reason: undefined };
}

type DatabricksStep = {
  readonly operator: string;
  readonly isTable: boolean;
  readonly node: PlanNode;
};

/** Reads only the step and its table: expressions repeat the statement's values. */
function databricksStep(line: string): DatabricksStep[] {
  const [, lead = '', operator, rest = ''] = databricksLine.exec(line) ?? [];
  if (operator === undefined) return [];
  const isTable = /(?:relation(?:v2)?|scan)$/i.test(operator);
  const [, before, behind] = /^(?: ([\w.`-]+)\[|\[[^\]]*\] ([\w.`-]+))/.exec(rest) ?? [];
  const table = isTable ? (before ?? behind) : undefined;
  const statistics = /Statistics\(([^()]*)\)\s*$/.exec(rest)?.[1] ?? '';
  return [
    {
      operator,
      isTable,
      node: {
        depth: lead.length / 3,
        label: labelOf(spacedName(operator), table && `on ${table}`),
        estimatedRows: numberOf(/rowCount=([\d.]+(?:E[+-]?\d+)?)/.exec(statistics)?.[1]),
        estimatedCost: bytesOf(/sizeInBytes=([\d.]+(?:E[+-]?\d+)? \w+)/.exec(statistics)?.[1] ?? ''),
      },
    },
  ];
}

const binaryUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

/** Reads sizes such as `36.3 MiB`. */
function bytesOf(text: string): number | null {
  const [amount, unit = ''] = text.split(' ');
  const number = numberOf(amount);
  const power = binaryUnits.indexOf(unit);
  return number === null || power === -1 ? null : Math.round(number * 1_024 ** power);
}
