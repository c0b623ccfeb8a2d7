import { type Static, Type } from 'typebox';
import { targetOf } from '../../data-sources/index.ts';
import { maskingOf, type RunningDeps } from '../calls/running.ts';
import type { Catalogue } from '../context/catalogue.ts';
import { dataLine, dataNotice, framed } from '../context/framing.ts';
import { type Gate, gates, gateVerdicts } from './gates.ts';
import { dataSource, output, projectId, sql } from './shapes.ts';
import type { StatementRules } from './statement.ts';
import type { Tool } from './tool.ts';

const Input = Type.Object({ sql, data_source: dataSource, project_id: projectId });

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

/** Tool that checks a statement without running it. A refusal of the statement is a result, not an error. */
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
    const { verdicts, plan } = await gateVerdicts(deps, args.sql, source.engine, {
      dataSource: () => targetOf(source.open()),
      masking: maskingOf(deps, call.project),
      timeoutMs: call.project.settings.statementTimeoutSeconds * 1_000,
      signal: call.signal,
      callerId: call.callerId,
    });
    const refusing = verdicts.find(({ verdict }) => verdict === 'Failed');
    if (refusing) call.touch({ refusedBy: refusing.gate });
    const isValid = refusing === undefined;
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
