import type { ExportFormat } from '@svc/contract';
import { type RunResult, refusingOverHttp } from '../../../gateways/run-sql/index.ts';
import { begun } from '../../../platform/concurrency/begun.ts';
import { fileNameOf } from '../../../platform/tabular/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import type { ParameterValues } from '../definition.ts';
import { readableQuery } from '../reach.ts';
import type { AdHocRunsDeps } from './ad-hoc-runs.ts';
import { type Execution, requireApproved, requireSteps } from './execution.ts';

/** Started run for an export. */
export type QueryRun = {
  readonly result: Pick<RunResult, 'columns' | 'batches'>;
  readonly fileName: string;
};

/** Creates the function that starts a run whose complete result goes to a file. */
export const createStartExport =
  ({ database, rights, audit }: Pick<AdHocRunsDeps, 'database' | 'rights' | 'audit'>, execution: Execution) =>
  async (
    actor: CallerActor,
    id: number,
    format: ExportFormat,
    values: ParameterValues,
    signal: AbortSignal,
  ): Promise<QueryRun> => {
    const { row } = await readableQuery(rights, database, actor.caller, id);
    requireApproved({ row, canEdit: false });
    requireSteps(row);
    const result = await refusingOverHttp(async () => {
      const planned = await execution.plan(database, row);
      const started = await execution.run(actor.caller, planned, values, signal, { hasSlowReader: true });
      return { columns: started.columns, batches: await begun(started.batches) };
    });
    const audited = {
      event: 'queries.result_exported' as const,
      subject: { kind: 'query', id },
      projectId: row.projectId,
      detail: { format },
    };
    await database.transaction((tx) => audit.record(tx, { ...audited, by: actor }));
    return { result, fileName: fileNameOf(row.name, format.toLowerCase()) };
  };
