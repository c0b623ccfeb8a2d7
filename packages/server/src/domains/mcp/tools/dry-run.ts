import type { Plan } from '@svc/connectors';
import { type Static, Type } from 'typebox';
import { RunSqlRefusal } from '../../../doors/run-sql/index.ts';
import { targetOf } from '../../data-sources/index.ts';
import { aboutStatement } from '../calls/refusal.ts';
import { maskingOf, type RunningDeps } from '../calls/running.ts';
import type { Catalogue } from '../context/catalogue.ts';
import { dataLine, dataNotice, framed } from '../context/framing.ts';
import { dataSource, output, projectId, sql } from './shapes.ts';
import { type StatementRules, statementVerdicts } from './statement.ts';
import type { Tool, ToolCall } from './tool.ts';

const Input = Type.Object({ sql, data_source: dataSource, project_id: projectId });

/** Every gate that a statement passes before its rows are read, in their order. */
const gates = ['size', 'select_only', 'read_only', 'engine', 'masking'] as const;
type Gate = {
  readonly gate: (typeof gates)[number];
  readonly verdict: 'Passed' | 'Failed' | 'NotChecked';
  readonly message: string;
};

const Output = Type.Object({
  isValid: Type.Boolean({ description: 'True: query would run it.' }),
  gates: Type.Array(
    Type.Object({
      gate: Type.Unsafe<Gate['gate']>({ type: 'string', enum: [...gates] }),
      verdict: Type.Unsafe<Gate['verdict']>({ type: 'string', enum: ['Passed', 'Failed', 'NotChecked'] }),
      message: Type.String(),
    }),
  ),
  dataSourceId: Type.Integer(),
  estimatedRows: output.nullableNumber,
  estimatedCost: output.nullableNumber,
  plan: Type.Array(Type.String()),
  notice: output.notice,
});

type Deps = RunningDeps & StatementRules & { readonly catalogue: Catalogue };
const earlier = 'An earlier gate refused.';

/** Asks about a statement without running it. A refusal is an answer here, not an error. */
export const dryRunTool = (deps: Deps): Tool<Static<typeof Input>> => ({
  name: 'dry_run',
  title: 'Check a SELECT without running it',
  description:
    'Says whether a SELECT would run, gate by gate: its size, that it is a SELECT, that it only reads, that the engine knows its tables and columns and may read them, and what would be masked. Nothing is run; the engine’s own plan is asked for. Use it before query.',
  input: Input,
  needsSources: true,
  output: Output,
  run: async (args, call) => {
    call.touch({ statement: args.sql });
    const source = await deps.catalogue.pickSource(call.project, args.data_source);
    call.touch({ dataSourceId: source.id });
    const { verdicts, plan } = await gateVerdicts(deps, args.sql, source, call);
    const isValid = verdicts.every(({ verdict }) => verdict !== 'Failed');
    return {
      text: framed(
        isValid ? 'The statement would run.' : 'The statement would not run.',
        [...verdicts, ...(plan ? [{ plan: plan.steps }] : [])].map(dataLine),
      ),
      structured: {
        isValid,
        gates: verdicts,
        dataSourceId: source.id,
        estimatedRows: plan?.estimatedRows ?? null,
        estimatedCost: plan?.estimatedCost ?? null,
        plan: plan?.steps ?? [],
        notice: dataNotice,
      },
      rowCount: null,
      maskedColumns: [],
    };
  },
});

/** What each gate says, in their order; those behind one that refused are not asked. */
async function gateVerdicts(
  deps: Deps,
  statement: string,
  source: Awaited<ReturnType<Catalogue['pickSource']>>,
  call: ToolCall,
): Promise<{ verdicts: Gate[]; plan: Plan | undefined }> {
  const early = statementVerdicts(deps, statement, source.engine);
  const verdicts: Gate[] = (['size', 'select_only'] as const).map((gate) => ({
    gate,
    verdict: early[gate] === undefined ? 'Passed' : 'Failed',
    message: early[gate] ?? '',
  }));
  if (verdicts.some(({ verdict }) => verdict === 'Failed'))
    return { verdicts: [...verdicts, ...unchecked('read_only', 'engine', 'masking')], plan: undefined };
  const asked = await deps.runSql.dryRun({
    dataSource: targetOf(source.open()),
    sql: statement,
    masking: maskingOf(deps, call.project),
    limits: { timeoutMs: call.project.settings.statementTimeoutSeconds * 1_000 },
    signal: call.signal,
    callerId: call.callerId,
  });
  const said = (refusal: RunSqlRefusal) => aboutStatement(refusal, statement);
  const refusedEarly = asked.readOnly ?? asked.parameters;
  if (refusedEarly)
    return {
      verdicts: [
        ...verdicts,
        { gate: 'read_only', verdict: 'Failed', message: said(refusedEarly) },
        ...unchecked('engine', 'masking'),
      ],
      plan: undefined,
    };
  const { engine } = asked;
  const isRefused = engine instanceof RunSqlRefusal;
  return {
    verdicts: [
      ...verdicts,
      { gate: 'read_only', verdict: 'Passed', message: '' },
      isRefused
        ? { gate: 'engine', verdict: 'Failed', message: said(engine) }
        : typeof engine === 'string'
          ? { gate: 'engine', verdict: 'NotChecked', message: 'This engine cannot be asked beforehand.' }
          : { gate: 'engine', verdict: 'Passed', message: '' },
      masked(asked.personalNames),
    ],
    plan: isRefused || typeof engine === 'string' ? undefined : engine,
  };
}

const unchecked = (...names: readonly Gate['gate'][]): Gate[] =>
  names.map((gate) => ({ gate, verdict: 'NotChecked', message: earlier }));

/** Masking refuses nothing; it says which of the statement's names are masked. */
function masked(names: readonly string[]): Gate {
  return {
    gate: 'masking',
    verdict: 'Passed',
    message:
      names.length === 0
        ? 'No name in the statement speaks of personal data; values of such a form are masked all the same.'
        : `What comes from these is masked: ${names.join(', ')}.`,
  };
}
