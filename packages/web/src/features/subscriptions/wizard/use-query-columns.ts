import type { Query } from '@svc/contract';
import { countSaved } from '../../../requests/query-runs.ts';
import { setValues } from '../../../views/query-run/parameter-values.ts';
import { useRun } from '../../../views/query-run/use-run.ts';
import type { Choices } from './choices.ts';

/** The columns of a query, from a run of it that tells nobody, once they are asked for. */
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
