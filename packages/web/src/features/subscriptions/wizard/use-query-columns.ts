import type { Query } from '@svc/contract';
import { countSaved } from '../../../requests/runs/query-runs.ts';
import { setValues } from '../../../views/query-run/parameter-values.ts';
import { useRun } from '../../../views/query-run/use-run.ts';
import type { Choices } from './choices.ts';

/** Columns of a query from a test run, which notifies no recipient. The run starts on request. */
export function useQueryColumns(query: Query | undefined, { values }: Pick<Choices, 'values'>) {
  const { state, start } = useRun();
  return {
    columns: state.kind === 'done' ? state.result.columns.map(({ name }) => name) : [],
    isReading: state.kind === 'running',
    error: state.kind === 'failed' ? state.error : undefined,
    read: () =>
      void start((signal, runKey) =>
        countSaved(query?.id ?? 0, { parameters: setValues(values) }, runKey, signal),
      ),
  };
}
