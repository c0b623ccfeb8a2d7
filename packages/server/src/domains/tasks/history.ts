import type { ListQuery, Page, TaskExecution, TaskResultHistory } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { pageOf, pageRequest } from '../../platform/http/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { findReplacedChain, type HistoryService } from '../run-history/index.ts';
import { evaluationSortable, lastJudged, listEvaluations } from './evaluation-store.ts';
import { presentEvaluation, presentExecution } from './present.ts';
import { listCounts, type TaskDetailRow } from './store.ts';

const pointsMax = 100;

/** Creates the reads of the runs or evaluations that a task is about. The caller must be able to read the task. */
export function createTaskHistory(deps: {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly history: Pick<HistoryService, 'listWithReplaced' | 'visibleTo'>;
}) {
  const { database, rights, history } = deps;

  /**
   * Returns the contract with the readable projects. A contract may have moved to a project that the reader of its task
   * cannot read.
   */
  const visibleContract = async (caller: Caller, contractId: number) => ({
    contractId,
    projectIds: await rights.readableIds(database, caller),
  });

  return {
    /**
     * Returns runs of the same subscription and of its replaced subscriptions, or evaluations of the same contract, if
     * the caller may see them.
     */
    listExecutions: async (
      caller: Caller,
      task: TaskDetailRow,
      query: ListQuery,
    ): Promise<Page<TaskExecution>> => {
      if (task.contractId !== null) {
        const page = pageRequest(query, {
          sortable: evaluationSortable,
          byDefault: '-executedAt',
          unique: 'e.id',
        });
        const contract = await visibleContract(caller, task.contractId);
        const { rows, totalCount } = await listEvaluations(database, contract, page);
        return pageOf(rows.map(presentEvaluation), totalCount, page);
      }
      if (task.subscriptionId === null) return { items: [], totalCount: 0, pageCount: 0 };
      const runs = await history.listWithReplaced(caller, task.subscriptionId, query);
      return { ...runs, items: runs.items.map(presentExecution) };
    },

    /** Returns the last counts of rows or of broken rules, if the caller may see them. */
    pointsOf: async (caller: Caller, task: TaskDetailRow): Promise<TaskResultHistory['points']> => {
      if (task.contractId !== null) {
        const contract = await visibleContract(caller, task.contractId);
        const evaluations = await lastJudged(database, contract, pointsMax);
        return evaluations.map(({ id, at, brokenCount }) => ({
          notificationId: null,
          evaluationId: id,
          sampledAt: at.toISOString(),
          resultCount: brokenCount ?? 0,
        }));
      }
      if (task.subscriptionId === null) return [];
      const visible = await history.visibleTo(caller);
      const chain = await findReplacedChain(database, task.subscriptionId);
      const counts = await listCounts(database, visible, chain, pointsMax);
      return counts.map(({ notificationId, sampledAt, resultCount }) => ({
        notificationId,
        evaluationId: null,
        sampledAt: sampledAt.toISOString(),
        resultCount,
      }));
    },
  };
}
