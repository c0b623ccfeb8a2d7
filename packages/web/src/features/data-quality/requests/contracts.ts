import {
  getContractEvaluation,
  getDataContract,
  getDataQualityOverview,
  listContractEvaluations,
  listDataContracts,
  type QueryOf,
} from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { read } from '../../../lib/server-state.ts';

/** One page of the data contracts that the caller can read. */
export const contracts = (query: QueryOf<typeof listDataContracts>) => read(listDataContracts, { query });

export const contract = (id: number) => read(getDataContract, { params: { id } });

/** How the contracts stand together, and their worst tables. */
export const qualityOverview = () => read(getDataQualityOverview, {});

const lookAgainMs = 1_500;

/** The latest evaluations, newest first; looked at again while one of them is under way. */
export const evaluations = (id: number, pageSize: number) =>
  queryOptions({
    ...read(listContractEvaluations, { params: { id }, query: { pageSize: String(pageSize) } }),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status }) => status === 'Queued' || status === 'Running')
        ? lookAgainMs
        : false,
  });

/** One evaluation with how each rule stood. */
export const evaluation = (id: number, evaluationId: number) =>
  read(getContractEvaluation, { params: { id, evaluationId } });
