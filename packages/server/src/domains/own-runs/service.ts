import {
  isProblemCode,
  type ListQuery,
  type OwnRun,
  ownRunsMax,
  type Page,
  problemEntry,
} from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { HttpProblem, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { insertRun, listRuns, type OwnRunRow, type RunEnd, type RunText, sortable } from './store.ts';

export type OwnRunsDeps = {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly log: Pick<Logger, 'warn'>;
};

export type OwnRunsService = ReturnType<typeof createOwnRunsService>;

const present = ({ ranAt, ...row }: OwnRunRow): OwnRun => ({ ...row, ranAt: ranAt.toISOString() });

/**
 * Returns the outcome of a refused run. The engine's message may repeat a row, so only the title of the problem code is
 * stored.
 */
function endOf(error: unknown): Pick<RunEnd, 'outcome' | 'message'> {
  const code = error instanceof HttpProblem ? error.code : undefined;
  if (code === 'cancelled') return { outcome: 'Stopped', message: null };
  const isKnown = code !== undefined && isProblemCode(code);
  return { outcome: 'Failed', message: isKnown ? problemEntry(code).title : 'Failed' };
}

/** Creates the history of ad-hoc runs. Users see only their own runs, at most `ownRunsMax`. */
export function createOwnRunsService({ database, rights, log }: OwnRunsDeps) {
  /** Stores a run. A failure here does not fail the run. */
  const keep = async (userId: number, text: RunText, end: RunEnd): Promise<void> => {
    try {
      await insertRun(database, userId, text, end, ownRunsMax);
    } catch (error) {
      log.warn({ err: error }, 'a run could not be kept in the history of whoever ran it');
    }
  };

  return {
    /** Executes `work` and stores its outcome if a user has a session. Programs have no history. */
    keeping: async <T extends { readonly totalCount: number }>(
      caller: Caller,
      text: RunText,
      work: () => Promise<T>,
    ): Promise<T> => {
      const { userId, kind } = caller;
      if (userId === null || kind !== 'session') return work();
      const startedAt = performance.now();
      const durationMs = () => Math.round(performance.now() - startedAt);
      try {
        const result = await work();
        const { totalCount: rowCount } = result;
        await keep(userId, text, { outcome: 'Succeeded', message: null, rowCount, durationMs: durationMs() });
        return result;
      } catch (error) {
        await keep(userId, text, { ...endOf(error), rowCount: null, durationMs: durationMs() });
        throw error;
      }
    },

    list: async (
      caller: Caller,
      query: ListQuery & { readonly projectId?: number; readonly queryId?: number },
    ): Promise<Page<OwnRun>> => {
      const page = pageRequest(query, { sortable, byDefault: '-ranAt', unique: 'r.id' });
      if (caller.userId === null) return pageOf([], 0, page);
      const { projectId = null, queryId = null } = query;
      const readable = await rights.readableIds(database, caller);
      const { rows, totalCount } = await listRuns(
        database,
        caller.userId,
        readable,
        { projectId, queryId },
        page,
      );
      return pageOf(rows.map(present), totalCount, page);
    },
  };
}
