import { failSpan, type Telemetry } from '../../../platform/telemetry/index.ts';
import { RunSqlRefusal } from '../refusal.ts';
import type { RunRequest, RunResult } from '../request.ts';

/** Records a run as a span that ends with its last row. Attributes are engines and counts, never text or rows. */
export async function tracedRun(
  { steps, finalQuery }: RunRequest,
  start: () => Promise<RunResult>,
  telemetry: Telemetry | undefined,
): Promise<RunResult> {
  if (!telemetry) return start();
  const engines = [...new Set(steps.map(({ dataSource }) => dataSource.engine))];
  const span = telemetry.begin(`run sql ${engines.join('+')}`, {
    kind: 'Client',
    attributes: {
      ...(engines.length === 1 && { 'db.system.name': engines[0] }),
      'svc.data_source.ids': [...new Set(steps.map(({ dataSource }) => dataSource.id))],
      'svc.steps': steps.length,
      'svc.is_joined': finalQuery !== null && finalQuery !== undefined,
    },
  });
  try {
    const result = await telemetry.within(span, start);
    void result.finished.then(({ rowCount, error }) => {
      span.setAttribute('db.response.returned_rows', rowCount);
      if (error) refuse(error);
      span.end();
    });
    return result;
  } catch (error) {
    refuse(error);
    span.end();
    throw error;
  }

  function refuse(error: unknown): void {
    failSpan(span, error);
    if (error instanceof RunSqlRefusal) span.setAttribute('error.type', error.code);
  }
}
