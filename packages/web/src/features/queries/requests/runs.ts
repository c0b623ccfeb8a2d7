import { listOwnRuns, ownRunsMax } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** What the signed-in person ran last in a project. */
export const ownRuns = (projectId: number) =>
  read(listOwnRuns, { query: { projectId, pageSize: String(ownRunsMax) } });

/** Every read of own runs: each run adds one. */
export const ownRunsKey = [listOwnRuns.tag, listOwnRuns.operationId] as const;
