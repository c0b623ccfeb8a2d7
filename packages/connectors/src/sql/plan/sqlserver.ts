import { collectNodes, depthMax, labelOf, numberOf, type PlanNode } from './node.ts';

const xmlTag = /<(\/?)([\w:]+)((?:\s+[\w:]+\s*=\s*"[^"]*")*)\s*(\/?)>/g;
const xmlEntities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&apos;': "'",
};

const xmlAttribute = (attributes: string, name: string): string | undefined =>
  new RegExp(`\\s${name}\\s*=\\s*"([^"]*)"`)
    .exec(attributes)?.[1]
    ?.replaceAll(/&(?:lt|gt|amp|quot|apos);/g, (entity) => xmlEntities[entity] ?? entity);

const unbracketed = (name: string): string => name.replace(/^\[([\s\S]*)\]$/, '$1').replaceAll(']]', ']');

/** Allowed statement types in a plan. The values are declared before the statement. */
const readingStatements = new Set(['SELECT', 'ASSIGN', 'DECLARE', 'SELECT WITHOUT QUERY']);

/** Reads `SHOWPLAN_XML`: each RelOp is a step within its parent. The table that a step reads is inside it. */
export function sqlserverPlan(xml: string): { readonly nodes: PlanNode[]; readonly writes: boolean } {
  const { nodes, add } = collectNodes();
  let writes = false;
  /** Enclosing steps. The innermost one waits for its table. */
  const open: (Omit<PlanNode, 'depth'> & { isAdded: boolean })[] = [];
  const settle = (object?: string): void => {
    const step = open.at(-1);
    if (!step || step.isAdded) return;
    step.isAdded = true;
    const { estimatedRows, estimatedCost } = step;
    const label = labelOf(step.label, object && `on ${object}`);
    add({ depth: Math.min(depthMax, open.length - 1), label, estimatedRows, estimatedCost });
  };
  for (const [, end, name = '', attributes = '', isEmpty] of xml.matchAll(xmlTag)) {
    if (/^Stmt(?:Simple|Cond|Cursor|UseDb|Receive)$/.test(name) && end === '')
      writes ||= !readingStatements.has(xmlAttribute(attributes, 'StatementType') ?? '');
    if (name === 'Object' && end === '') settle(objectName(attributes));
    if (name !== 'RelOp') continue;
    settle();
    if (end === '/') open.pop();
    else if (isEmpty === '') open.push({ ...relOp(attributes), isAdded: false });
  }
  settle();
  return { nodes, writes };
}

function objectName(attributes: string): string | undefined {
  const table = xmlAttribute(attributes, 'Table');
  const index = xmlAttribute(attributes, 'Index');
  if (table === undefined) return undefined;
  return `${unbracketed(table)}${index === undefined ? '' : ` using ${unbracketed(index)}`}`;
}

function relOp(attributes: string): Omit<PlanNode, 'depth'> {
  const physical = xmlAttribute(attributes, 'PhysicalOp') ?? 'Step';
  const logical = xmlAttribute(attributes, 'LogicalOp');
  return {
    label: logical === undefined || logical === physical ? physical : `${physical} (${logical})`,
    estimatedRows: numberOf(xmlAttribute(attributes, 'EstimateRows')),
    estimatedCost: numberOf(xmlAttribute(attributes, 'EstimatedTotalSubtreeCost')),
  };
}
