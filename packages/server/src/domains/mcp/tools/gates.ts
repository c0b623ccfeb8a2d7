import type { Plan } from '@svc/connectors';
import {
  type DataSourceTarget,
  type MaskingRules,
  type RunSql,
  RunSqlRefusal,
} from '../../../gateways/run-sql/index.ts';
import { aboutStatement } from '../calls/refusal.ts';
import { type StatementRules, statementVerdicts } from './statement.ts';

/** Gates that a statement passes before its rows are read, in order. */
export const gates = ['size', 'select_only', 'read_only', 'engine', 'masking'] as const;
/** Verdict of one gate. */
export type Gate = {
  readonly gate: (typeof gates)[number];
  readonly verdict: 'Passed' | 'Failed' | 'NotChecked';
  readonly message: string;
};

type GatesDeps = StatementRules & { readonly runSql: Pick<RunSql, 'dryRun'> };
type GatesCall = {
  /** Decrypts the data source. Called only when the engine checks the statement. */
  readonly dataSource: () => DataSourceTarget;
  readonly masking: MaskingRules;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly callerId: string;
};

const earlier = 'An earlier gate refused.';

/** Returns the verdict of each gate, in order. Gates after a refusal are not checked. */
export async function gateVerdicts(
  deps: GatesDeps,
  statement: string,
  engineName: string,
  { dataSource, masking, timeoutMs, ...call }: GatesCall,
): Promise<{ verdicts: Gate[]; plan: Plan | undefined; refusal?: RunSqlRefusal | undefined }> {
  const early = statementVerdicts(deps, statement, engineName);
  const verdicts: Gate[] = (['size', 'select_only'] as const).map((gate) => ({
    gate,
    verdict: early[gate] === undefined ? 'Passed' : 'Failed',
    message: early[gate] ?? '',
  }));
  if (verdicts.some(({ verdict }) => verdict === 'Failed'))
    return { verdicts: [...verdicts, ...unchecked('read_only', 'engine', 'masking')], plan: undefined };
  const dryRun = await deps.runSql.dryRun({
    dataSource: dataSource(),
    sql: statement,
    masking,
    limits: { timeoutMs },
    ...call,
  });
  const refusedEarly = dryRun.readOnly ?? dryRun.parameters;
  if (refusedEarly)
    return {
      verdicts: [
        ...verdicts,
        { gate: 'read_only', verdict: 'Failed', message: aboutStatement(refusedEarly) },
        ...unchecked('engine', 'masking'),
      ],
      plan: undefined,
    };
  const { engine } = dryRun;
  const isRefused = engine instanceof RunSqlRefusal;
  return {
    verdicts: [
      ...verdicts,
      { gate: 'read_only', verdict: 'Passed', message: '' },
      isRefused
        ? { gate: 'engine', verdict: 'Failed', message: aboutStatement(engine) }
        : typeof engine === 'string'
          ? { gate: 'engine', verdict: 'NotChecked', message: 'This engine cannot be asked beforehand.' }
          : { gate: 'engine', verdict: 'Passed', message: '' },
      masked(dryRun.personalNames),
    ],
    plan: isRefused || typeof engine === 'string' ? undefined : engine,
    refusal: isRefused ? engine : undefined,
  };
}

const unchecked = (...names: readonly Gate['gate'][]): Gate[] =>
  names.map((gate) => ({ gate, verdict: 'NotChecked', message: earlier }));

/** Returns the verdict of masking, which always passes. It lists the masked names of the statement. */
function masked(names: readonly string[]): Gate {
  return {
    gate: 'masking',
    verdict: 'Passed',
    message:
      names.length === 0
        ? 'No column looks like personal data. Values that do are still masked.'
        : `What comes from these is masked: ${names.join(', ')}.`,
  };
}
