import { plural } from '@svc/contract/wording';
import type { Statement } from '../port.ts';
import type { Cell } from '../values.ts';
import { bigqueryNodes } from './plan/bigquery.ts';
import { clickhouseNodes } from './plan/clickhouse.ts';
import { databricksPlan } from './plan/databricks.ts';
import { duckdbNodes } from './plan/duckdb.ts';
import { mysqlNodes } from './plan/mysql.ts';
import type { PlanNode } from './plan/node.ts';
import { postgresqlNodes } from './plan/postgresql.ts';
import { snowflakePlan } from './plan/snowflake.ts';
import { sqliteNodes } from './plan/sqlite.ts';
import { sqlserverPlan } from './plan/sqlserver.ts';
import { assertOneRead, type ReadOnlyRules } from './read-only-gate.ts';

/** Plan of an engine for a statement, without the statement's values. */
export type Plan = {
  readonly estimatedRows: number | null;
  /** Cost in the engine's own unit. It is comparable only within one engine. */
  readonly estimatedCost: number | null;
  /** One line per step, outermost first. */
  readonly steps: readonly string[];
  /** The same steps as a tree for display, each node before its children. */
  readonly nodes: readonly PlanNode[];
  /** The plan contains a step that a read-only transaction refuses. Explaining it is allowed. */
  readonly writes: boolean;
};

/** Dry run of an engine. */
export type DryRun = {
  /** Throws or rejects for the statements that `execute` would refuse before connecting. */
  readonly check: (statement: Statement, connection: unknown) => void | Promise<void>;
  /** Absent: the engine has no plans. */
  readonly plan?: {
    /** Prefix of a statement that requests its plan. The statement has passed `check`. */
    readonly prefix: string;
    readonly readPlan: (rows: readonly (readonly Cell[])[]) => Plan;
  };
};

const stepsMax = 50;
const noPlan: Plan = { estimatedRows: null, estimatedCost: null, steps: [], nodes: [], writes: false };

const dryRun = (
  rules: ReadOnlyRules,
  prefix: string,
  readPlan: NonNullable<DryRun['plan']>['readPlan'],
): DryRun => checkedBy(({ sql }) => assertOneRead(sql, rules), prefix, readPlan);

const checkedBy = (
  check: DryRun['check'],
  prefix: string,
  readPlan: NonNullable<DryRun['plan']>['readPlan'],
): DryRun => ({ check, plan: { prefix, readPlan } });

type PostgresqlNode = {
  'Node Type'?: unknown;
  'Relation Name'?: unknown;
  'Plan Rows'?: unknown;
  'Total Cost'?: unknown;
  Plans?: readonly PostgresqlNode[];
};

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Steps that change or lock rows. */
const writingNodes = new Set(['ModifyTable', 'LockRows']);

export const postgresqlDryRun = (check: DryRun['check']): DryRun =>
  checkedBy(check, 'explain (format json) ', (rows) => {
    const [outer] = parse<{ Plan?: PostgresqlNode }[]>(rows[0]?.[0]) ?? [];
    if (!outer?.Plan) return noPlan;
    const steps: string[] = [];
    let writes = false;
    const walk = (node: PostgresqlNode, depth: number): void => {
      writes ||= writingNodes.has(String(node['Node Type']));
      const relation = node['Relation Name'] === undefined ? '' : ` on ${String(node['Relation Name'])}`;
      steps.push(
        `${'  '.repeat(depth)}${String(node['Node Type'])}${relation}, about ${plural(Number(node['Plan Rows']), 'row')}`,
      );
      for (const child of node.Plans ?? []) walk(child, depth + 1);
    };
    walk(outer.Plan, 0);
    return {
      estimatedRows: numberOf(outer.Plan['Plan Rows']),
      estimatedCost: numberOf(outer.Plan['Total Cost']),
      steps: steps.slice(0, stepsMax),
      nodes: postgresqlNodes(outer.Plan),
      writes,
    };
  });

/** Returns the total cost of a tree, and its steps as lines for language models. */
const planOf = (nodes: readonly PlanNode[]): Plan => ({
  ...noPlan,
  estimatedCost: nodes[0]?.estimatedCost ?? null,
  steps: nodes.slice(0, stepsMax).map(({ depth, label }) => `${'  '.repeat(depth)}${label}`),
  nodes,
});

/** Uses JSON blocks, whose names and numbers differ by server and version. */
export const mysqlDryRun = (rules: ReadOnlyRules): DryRun =>
  dryRun(rules, 'explain format=json ', (rows) => planOf(mysqlNodes(parse(rows[0]?.[0]))));

/** Columns: id, parent, not used, detail. */
export const sqliteDryRun = (rules: ReadOnlyRules): DryRun =>
  dryRun(rules, 'explain query plan ', (rows) => planOf(sqliteNodes(rows)));

/** Columns: kind of the plan, and the plan. Its nodes repeat the statement's values, so only their names are used. */
export const duckdbDryRun = (rules: ReadOnlyRules): DryRun =>
  dryRun(rules, 'explain (format json) ', (rows) => {
    const nodes = duckdbNodes(parse(rows[0]?.[1]));
    return { ...planOf(nodes), estimatedRows: nodes[0]?.estimatedRows ?? null };
  });

/** One document, on one line or several. Reads name their table. Conditions would repeat the statement's values. */
export const clickhouseDryRun = (rules: ReadOnlyRules): DryRun =>
  dryRun(rules, 'explain json = 1, description = 1 ', (rows) =>
    planOf(clickhouseNodes(parse(rows.map(([line]) => line).join('\n')))),
  );

/** One XML document. Its conditions repeat the statement's values, so only steps and names are used. */
export const sqlserverDryRun = (rules: ReadOnlyRules, prefix: string): DryRun =>
  dryRun(rules, prefix, ([first]) => {
    const { nodes, writes } = sqlserverPlan(typeof first?.[0] === 'string' ? first[0] : '');
    return { ...planOf(nodes), estimatedRows: nodes[0]?.estimatedRows ?? null, writes };
  });

/** One document of the service itself: the estimated bytes and the tables of the dry run. */
export const bigqueryDryRun = (rules: ReadOnlyRules, prefix: string): DryRun =>
  dryRun(rules, prefix, (rows) => planOf(bigqueryNodes(parse(rows[0]?.[0]))));

/** One document. Expressions repeat the statement's values, so only steps, tables and their sizes are used. */
export const snowflakeDryRun = (rules: ReadOnlyRules, prefix: string): DryRun =>
  dryRun(rules, prefix, ([first]) => {
    const plan = snowflakePlan(typeof first?.[0] === 'string' ? first[0] : '');
    return plan ? { ...planOf(plan.nodes), writes: plan.writes } : noPlan;
  });

/** Lines of text. Expressions repeat the statement's values, so only steps, tables and their sizes are used. */
export const databricksDryRun = (rules: ReadOnlyRules, prefix: string): DryRun =>
  dryRun(rules, prefix, (rows) => {
    const { plan } = databricksPlan(rows.map(([line]) => line).join('\n'));
    return plan
      ? { ...planOf(plan.nodes), estimatedRows: plan.nodes[0]?.estimatedRows ?? null, writes: plan.writes }
      : noPlan;
  });

function parse<T>(cell: Cell | undefined): T | undefined {
  try {
    // The engine's own format.
    return typeof cell === 'string' ? (JSON.parse(cell) as T) : undefined;
  } catch {
    return undefined;
  }
}
