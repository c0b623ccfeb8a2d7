import { listOwnRuns, ownRunsMax } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** Last runs of the signed-in user in a project. */
export const ownRuns = (projectId: number) =>
  read(listOwnRuns, { query: { projectId, pageSize: String(ownRunsMax) } });

/** Key of every query of own runs. Each run invalidates it. */
export const ownRunsKey = [listOwnRuns.tag, listOwnRuns.operationId] as const;
