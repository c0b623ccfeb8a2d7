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

/** One page of the data contracts that the user can read. */
export const contracts = (query: QueryOf<typeof listDataContracts>) => read(listDataContracts, { query });

export const contract = (id: number) => read(getDataContract, { params: { id } });

/** Summary of all contracts, and the tables with the worst results. */
export const qualityOverview = () => read(getDataQualityOverview, {});

const lookAgainMs = 1_500;

/** Latest evaluations, newest first. It polls while an evaluation is in progress. */
export const evaluations = (id: number, pageSize: number) =>
  queryOptions({
    ...read(listContractEvaluations, { params: { id }, query: { pageSize: String(pageSize) } }),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status }) => status === 'Queued' || status === 'Running')
        ? lookAgainMs
        : false,
  });

/** One evaluation with the result of each rule. */
export const evaluation = (id: number, evaluationId: number) =>
  read(getContractEvaluation, { params: { id, evaluationId } });
