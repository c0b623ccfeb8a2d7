import type { Preflight, PreflightGate } from '@svc/contract';
import { plural } from '@svc/contract';
import {
  bindParameters,
  checkFinalQuery,
  type DryRunResult,
  type MaskingRules,
  type RunParameters,
  type RunSql,
  type RunSqlCode,
  RunSqlRefusal,
  type RunStep,
} from '../../../gateways/run-sql/index.ts';
import type { ParameterValues } from '../definition.ts';
import type { QueryRunPlan } from '../plan.ts';

export type PreflightDeps = {
  readonly runSql: Pick<RunSql, 'dryRun' | 'testConnection'>;
  readonly limits: { readonly maxExecutionRows: number; readonly timeoutSeconds: number };
  readonly masking: MaskingRules;
};

type Call = { readonly signal: AbortSignal; readonly callerId?: string };
type Verdict = Pick<PreflightGate, 'verdict' | 'message'> & Partial<Pick<PreflightGate, 'next' | 'position'>>;
type Place = Pick<PreflightGate, 'stepOrder' | 'isFinalQuery'>;

/** Time limit of one step, in milliseconds. An engine returns a plan quickly, or something is wrong. */
const stepTimeoutMs = 15_000;

const wholeRun: Place = { stepOrder: null, isFinalQuery: false };
const final: Place = { stepOrder: null, isFinalQuery: true };

const gateOf = (gate: PreflightGate['gate'], place: Place, verdict: Verdict): PreflightGate => ({
  gate,
  ...place,
  next: null,
  position: null,
  ...verdict,
});

const passed = (message: string): Verdict => ({ verdict: 'Passed', message });
const unchecked = (message: string): Verdict => ({ verdict: 'NotChecked', message });
const earlier = unchecked('An earlier check failed.');

const failed = (refusal: RunSqlRefusal, next: string): Verdict => ({
  verdict: 'Failed',
  message: refusal.message,
  next: refusal.hint ?? next,
  position: refusal.position ? { line: refusal.position.line, column: refusal.position.column } : null,
});

/** Checks a query gate by gate, without running it. A refusal by a gate is part of the result, not an error. */
export async function preflight(
  deps: PreflightDeps,
  planned: QueryRunPlan,
  values: ParameterValues,
  call: Call,
): Promise<Preflight> {
  const parameters = { declared: planned.parameters, values };
  const bound = checkParameters(parameters);
  const gates = [bound];
  const names = sourceNames(planned);
  let estimatedRows: number | null = null;
  for (const step of planned.request.steps) {
    const source = names.get(step.dataSource.id) ?? 'The data source';
    if (bound.verdict === 'Failed') {
      gates.push(
        ...stepGates(step, { statement: earlier, source: earlier, engine: earlier, masking: earlier }),
      );
      continue;
    }
    const dryRun = await deps.runSql.dryRun({
      dataSource: step.dataSource,
      sql: step.sql,
      parameters,
      masking: deps.masking,
      limits: { timeoutMs: stepTimeoutMs },
      ...call,
    });
    if (typeof dryRun.engine === 'object' && 'estimatedRows' in dryRun.engine)
      estimatedRows = dryRun.engine.estimatedRows;
    gates.push(...stepGates(step, await stepVerdicts(deps, step, source, dryRun, call)));
  }
  const { finalQuery } = planned.request;
  if (finalQuery) gates.push(...finalGates(deps, finalQuery, parameters, bound.verdict === 'Failed'));
  gates.push(gateOf('limits', wholeRun, limits(deps, finalQuery ? null : estimatedRows)));
  return { isReady: gates.every(({ verdict }) => verdict !== 'Failed'), gates };
}

const sourceNames = ({ dataSourceIds, dataSourceNames }: QueryRunPlan): ReadonlyMap<string, string> =>
  new Map(dataSourceIds.map((id, index) => [String(id), dataSourceNames[index] ?? `Data source ${id}`]));

function checkParameters(parameters: RunParameters): PreflightGate {
  try {
    bindParameters(parameters);
  } catch (error) {
    if (!(error instanceof RunSqlRefusal)) throw error;
    return gateOf('parameters', wholeRun, failed(error, 'Give it a value or a default under Parameters.'));
  }
  const count = parameters.declared.length;
  const message =
    count === 0
      ? 'The query has no parameters.'
      : count === 1
        ? 'The parameter has a value.'
        : `All ${count} parameters have values.`;
  return gateOf('parameters', wholeRun, passed(message));
}

type StepVerdicts = Readonly<Record<'statement' | 'source' | 'engine' | 'masking', Verdict>>;

const stepGates = ({ order }: RunStep, verdicts: StepVerdicts): PreflightGate[] =>
  (['statement', 'source', 'engine', 'masking'] as const).map((gate) =>
    gateOf(gate, { stepOrder: order, isFinalQuery: false }, verdicts[gate]),
  );

/** Codes of refusals that concern the availability of the source, not the statement. */
const sourceCodes: ReadonlySet<RunSqlCode> = new Set([
  'connection-failed',
  'connection-lost',
  'tls-failed',
  'authentication-failed',
  'database-not-found',
  'engine-unavailable',
  'too-many-runs',
  'timed-out',
]);

async function stepVerdicts(
  deps: PreflightDeps,
  step: RunStep,
  source: string,
  dryRun: DryRunResult,
  call: Call,
): Promise<StepVerdicts> {
  const refused = dryRun.parameters ?? dryRun.readOnly;
  if (refused) {
    const next = dryRun.parameters
      ? 'Fix the placeholder.'
      : 'Write one statement that only reads, such as a SELECT.';
    return { statement: failed(refused, next), source: earlier, engine: earlier, masking: earlier };
  }
  const statement = passed('It is one statement that only reads.');
  const masking = passed(
    dryRun.personalNames.length === 0
      ? 'No column looks like personal data. Values that do are still masked.'
      : `What comes from these is masked: ${dryRun.personalNames.join(', ')}.`,
  );
  const { engine } = dryRun;
  if (engine instanceof RunSqlRefusal) {
    if (engine.code === 'cancelled') throw engine;
    if (sourceCodes.has(engine.code))
      return {
        statement,
        source: failed(engine, `Look at ${source}: test its connection.`),
        engine: earlier,
        masking,
      };
    return {
      statement,
      source: passed(`${source} answered.`),
      engine: failed(engine, 'Fix the statement.'),
      masking,
    };
  }
  if (typeof engine !== 'string')
    return {
      statement,
      source: passed(`${source} answered.`),
      engine: passed('The engine knows its tables and columns, and they may be read.'),
      masking,
    };
  return {
    statement,
    source: await reach(deps, step, source, call),
    engine: unchecked('The engine has no plan for such a statement.'),
    masking,
  };
}

/** Tests the connection of a source whose engine returned no plan. */
async function reach(deps: PreflightDeps, step: RunStep, source: string, { signal }: Call): Promise<Verdict> {
  const { engine, connection } = step.dataSource;
  const tested = await deps.runSql.testConnection(
    { engine, connection },
    { signal, timeoutMs: stepTimeoutMs },
  );
  return tested.isOk
    ? passed(`${source} answered.`)
    : { verdict: 'Failed', message: tested.error.message, next: `Look at ${source}: test its connection.` };
}

function finalGates(
  deps: PreflightDeps,
  sql: string,
  parameters: RunParameters,
  isEarlier: boolean,
): PreflightGate[] {
  if (isEarlier) return (['statement', 'masking'] as const).map((gate) => gateOf(gate, final, earlier));
  try {
    const names = checkFinalQuery(sql, parameters, deps.masking);
    const also = names.length === 0 ? '' : `, and what comes from ${names.join(', ')}`;
    return [
      gateOf('statement', final, passed('It is one statement that only reads.')),
      gateOf('masking', final, passed(`What is masked in a step stays masked${also}.`)),
    ];
  } catch (error) {
    if (!(error instanceof RunSqlRefusal)) throw error;
    const next = 'Write one statement that only reads what the steps answer.';
    return [gateOf('statement', final, failed(error, next)), gateOf('masking', final, earlier)];
  }
}

function limits(
  { limits: { maxExecutionRows, timeoutSeconds } }: PreflightDeps,
  estimated: number | null,
): Verdict {
  const bounds = `A run ends at ${plural(maxExecutionRows, 'row')} or ${timeoutSeconds} s.`;
  if (estimated === null) return passed(bounds);
  const expected = `The engine expects about ${plural(estimated, 'row')}.`;
  return estimated > maxExecutionRows
    ? {
        verdict: 'Warned',
        message: `${expected} ${bounds}`,
        next: 'Narrow the query, or have Svc:Query:MaxExecutionRows raised.',
      }
    : passed(`${expected} ${bounds}`);
}
