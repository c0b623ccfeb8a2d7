import { parseDescription } from '../http/bounded-json.ts';
import type { Cell } from '../values.ts';

/** One step of a plan, without conditions: they repeat the statement's values. Children follow their parent, one deeper. */
export type PlanNode = {
  /** 0: the outermost. */
  readonly depth: number;
  /** Action in the engine's own words, with its table. */
  readonly label: string;
  readonly estimatedRows: number | null;
  /** Cost in the engine's own unit, including its children; null if the engine reports none. */
  readonly estimatedCost: number | null;
};

const nodesMax = 200;
const depthMax = 60;
const labelLengthMax = 200;

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Converts a number: engines write numbers as numbers or as text. */
function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** Collects nodes up to a limit for display. */
function gather(): { readonly nodes: PlanNode[]; readonly add: (node: PlanNode) => void } {
  const nodes: PlanNode[] = [];
  return {
    nodes,
    add: (node) => {
      if (nodes.length < nodesMax) nodes.push({ ...node, label: node.label.slice(0, labelLengthMax) });
    },
  };
}

/** Reads a node of `EXPLAIN (FORMAT JSON)`: Node Type, Relation Name, Index Name, Plan Rows, Total Cost, Plans. */
export function postgresqlNodes(plan: unknown): PlanNode[] {
  const { nodes, add } = gather();
  const walk = (node: Json, depth: number): void => {
    const relation = textOf(node['Relation Name']);
    const index = textOf(node['Index Name']);
    const join = textOf(node['Join Type']);
    add({
      depth,
      label: [
        join === undefined || join === 'Inner' ? undefined : join,
        textOf(node['Node Type']) ?? 'Step',
        index && `using ${index}`,
        relation && `on ${relation}`,
      ]
        .filter(Boolean)
        .join(' '),
      estimatedRows: numberOf(node['Plan Rows']),
      estimatedCost: numberOf(node['Total Cost']),
    });
    const children = Array.isArray(node['Plans']) ? node['Plans'].filter(isObject) : [];
    if (depth < depthMax) for (const child of children) walk(child, depth + 1);
  };
  if (isObject(plan)) walk(plan, 0);
  return nodes;
}

/** Members of a block that describe a step and are not steps themselves. */
const mysqlDetails = new Set([
  'cost_info',
  'used_columns',
  'possible_keys',
  'used_key_parts',
  'key_parts',
  'ref',
]);
const mysqlWords = (name: string): string => name.replaceAll('_', ' ').replaceAll('-', ' ');

/** Reads a table of MySQL or MariaDB. Both name it the same, but their numbers differ. */
function mysqlTable(table: Json): Omit<PlanNode, 'depth'> {
  const cost = isObject(table['cost_info']) ? table['cost_info'] : {};
  const key = textOf(table['key']);
  return {
    label: [
      textOf(table['access_type']) ?? 'Read',
      key && `using ${key}`,
      `on ${textOf(table['table_name']) ?? 'what came before'}`,
    ]
      .filter(Boolean)
      .join(' '),
    estimatedRows: numberOf(table['rows_examined_per_scan']) ?? numberOf(table['rows']),
    estimatedCost: numberOf(cost['prefix_cost']) ?? numberOf(table['cost']),
  };
}

/** Reads `EXPLAIN FORMAT=JSON` of MySQL and MariaDB: nested blocks, whose names differ by server and version. */
export function mysqlNodes(plan: unknown): PlanNode[] {
  const { nodes, add } = gather();
  const walk = (name: string, block: Json, depth: number): void => {
    const isTable = name === 'table';
    const cost = isObject(block['cost_info']) ? block['cost_info'] : {};
    add({
      depth,
      ...(isTable
        ? mysqlTable(block)
        : {
            label: mysqlWords(name),
            estimatedRows: null,
            estimatedCost: numberOf(cost['query_cost']) ?? numberOf(block['cost']),
          }),
    });
    if (depth < depthMax) within(block, depth + 1);
  };
  const list = (name: string, blocks: readonly Json[], depth: number): void => {
    add({ depth, label: mysqlWords(name), estimatedRows: null, estimatedCost: null });
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

/** Reads rows of `EXPLAIN QUERY PLAN`: id, parent, not used, detail. SQLite reports neither rows nor costs. */
export function sqliteNodes(rows: readonly (readonly Cell[])[]): PlanNode[] {
  const { nodes, add } = gather();
  const depths = new Map<string, number>();
  for (const [id, parent, , detail] of rows) {
    const depth = Math.min(depthMax, (depths.get(String(parent)) ?? -1) + 1);
    depths.set(String(id), depth);
    add({ depth, label: String(detail ?? ''), estimatedRows: null, estimatedCost: null });
  }
  return nodes;
}

/** Reads a node of DuckDB's `EXPLAIN (FORMAT JSON)`: name, children, extra_info with an estimate and the table. */
export function duckdbNodes(plan: unknown): PlanNode[] {
  const { nodes, add } = gather();
  const walk = (node: Json, depth: number): void => {
    const info = isObject(node['extra_info']) ? node['extra_info'] : {};
    const table = textOf(info['Table']);
    const join = textOf(info['Join Type']);
    add({
      depth,
      label: [
        mysqlWords(textOf(node['name']) ?? 'Step').toLowerCase(),
        join && join !== 'INNER' && `(${join.toLowerCase()})`,
        table && `on ${table}`,
      ]
        .filter(Boolean)
        .join(' '),
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

/** Reads `EXPLAIN json = 1` of ClickHouse: Node Type, Plans. The description of a reading step is its table. */
export function clickhouseNodes(plan: unknown): PlanNode[] {
  const { nodes, add } = gather();
  const walk = (node: Json, depth: number): void => {
    const type = textOf(node['Node Type']) ?? 'Step';
    const table = /^ReadFrom/.test(type) ? textOf(node['Description']) : undefined;
    add({
      depth,
      label: [wordsOfName(type), table && `on ${table}`].filter(Boolean).join(' '),
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

/** Splits `ReadFromMergeTree` and `TableScan` into words; `JOIN` and `TTL` remain unchanged. */
const wordsOfName = (type: string): string => type.replaceAll(/([a-z])([A-Z])/g, '$1 $2');

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
  const { nodes, add } = gather();
  let writes = false;
  /** Enclosing steps. The innermost one waits for its table. */
  const open: (Omit<PlanNode, 'depth'> & { isAdded: boolean })[] = [];
  const settle = (object?: string): void => {
    const step = open.at(-1);
    if (!step || step.isAdded) return;
    step.isAdded = true;
    const { estimatedRows, estimatedCost } = step;
    const label = [step.label, object && `on ${object}`].filter(Boolean).join(' ');
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

const accuracyWords = new Map<unknown, string>([
  ['exact', ''],
  ['at-least', 'at least '],
  ['at-most', 'at most '],
]);
const byteUnits = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** Formats bytes for display, e.g. `1.5 GiB`. */
function bytesText(bytes: number): string {
  let unit = 0;
  let amount = bytes;
  while (amount >= 1_024 && unit < byteUnits.length - 1) {
    amount /= 1_024;
    unit++;
  }
  return `${Number(amount.toFixed(1))} ${byteUnits[unit]}`;
}

/** Reads a dry run of BigQuery: its cost is the scanned bytes, and its children are the tables. */
export function bigqueryNodes(plan: unknown): PlanNode[] {
  const { nodes, add } = gather();
  if (!isObject(plan)) return nodes;
  const scanned = numberOf(plan['scannedBytes']);
  if (scanned === null) return nodes;
  const about = accuracyWords.get(plan['accuracy']) ?? 'about ';
  add({ depth: 0, label: `Scan ${about}${bytesText(scanned)}`, estimatedRows: null, estimatedCost: scanned });
  const tables = Array.isArray(plan['tables']) ? plan['tables'] : [];
  for (const table of tables)
    add({ depth: 1, label: `Read ${String(table)}`, estimatedRows: null, estimatedCost: null });
  return nodes;
}

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
  const { nodes, add } = gather();
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
  const whole = outer && { ...outer, estimatedCost: numberOf(stats['bytesAssigned']) };
  return { nodes: whole ? [whole, ...rest] : [], writes };
}

/** Older plans name one parent. Newer plans have a list, whose first entry is the step's own parent. */
const parentOf = (step: Json): unknown =>
  Array.isArray(step['parentOperators']) ? step['parentOperators'][0] : step['parent'];

function snowflakeStep(step: Json): Omit<PlanNode, 'depth'> {
  const objects = Array.isArray(step['objects']) ? step['objects'] : [];
  const table = textOf(objects[0]);
  const [assigned, total] = [numberOf(step['partitionsAssigned']), numberOf(step['partitionsTotal'])];
  return {
    label: [
      wordsOfName(textOf(step['operation']) ?? 'Step'),
      table && `on ${table}`,
      assigned !== null && total !== null && `(${assigned} of ${total} partitions)`,
    ]
      .filter(Boolean)
      .join(' '),
    estimatedRows: null,
    estimatedCost: numberOf(step['bytesAssigned']),
  };
}

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
  const { nodes, add } = gather();
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
        label: [wordsOfName(operator), table && `on ${table}`].filter(Boolean).join(' '),
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
