import type { QueryPlans, StepPlan } from '@svc/contract';
import {
  bindParameters,
  type DryRunResult,
  type MaskingRules,
  type RunSql,
  RunSqlRefusal,
} from '../../../gateways/run-sql/index.ts';
import type { ParameterValues } from '../definition.ts';
import type { QueryRunPlan } from '../plan.ts';

export type ExplainDeps = {
  readonly runSql: Pick<RunSql, 'dryRun'>;
  readonly masking: MaskingRules;
};

type Told = Pick<StepPlan, 'outcome' | 'message' | 'position' | 'estimatedRows' | 'estimatedCost' | 'nodes'>;

/** Time limit of one step, in milliseconds. An engine returns a plan quickly, or something is wrong. */
const stepTimeoutMs = 15_000;
const nothing = { position: null, estimatedRows: null, estimatedCost: null, nodes: [] } as const;

/** Returns the plan of each step from its engine. A refusal by an engine is part of the result. No statement runs. */
export async function explain(
  deps: ExplainDeps,
  { request, parameters: declared, dataSourceIds, dataSourceNames }: QueryRunPlan,
  values: ParameterValues,
  call: { readonly signal: AbortSignal; readonly callerId?: string },
): Promise<QueryPlans> {
  const parameters = { declared, values };
  bindParameters(parameters);
  const names = new Map(dataSourceIds.map((id, index) => [String(id), dataSourceNames[index]]));
  const steps: StepPlan[] = [];
  for (const { order, dataSource, sql } of request.steps) {
    const dryRun = await deps.runSql.dryRun({
      dataSource,
      sql,
      parameters,
      masking: deps.masking,
      limits: { timeoutMs: stepTimeoutMs },
      ...call,
    });
    steps.push({
      stepOrder: order,
      dataSourceName: names.get(dataSource.id) ?? `Data source ${dataSource.id}`,
      engine: dataSource.engine,
      ...outcomeOf(dryRun),
    });
  }
  return { steps };
}

function outcomeOf({ parameters, readOnly, engine }: DryRunResult): Told {
  const refusal = parameters ?? readOnly ?? (engine instanceof RunSqlRefusal ? engine : null);
  if (refusal?.code === 'cancelled') throw refusal;
  if (refusal)
    return {
      ...nothing,
      nodes: [],
      outcome: 'Refused',
      message: refusal.message,
      position: refusal.position ? { line: refusal.position.line, column: refusal.position.column } : null,
    };
  if (typeof engine === 'string' || engine instanceof RunSqlRefusal || engine.nodes.length === 0)
    return {
      ...nothing,
      nodes: [],
      outcome: 'NotOffered',
      message: 'The engine gives no plan for such a statement.',
    };
  return {
    outcome: 'Explained',
    message: null,
    position: null,
    estimatedRows: engine.estimatedRows,
    estimatedCost: engine.estimatedCost,
    nodes: engine.nodes.map((node) => ({ ...node })),
  };
}
