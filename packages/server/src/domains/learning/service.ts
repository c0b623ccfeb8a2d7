import type {
  LearnedPattern,
  LearningStats,
  ListQuery,
  Page,
  PatternKind,
  PatternReplay,
  PatternState,
} from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Database, Executor, Tx } from '../../platform/db/index.ts';
import { conflict, notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { reachOf, requireRight } from '../projects/index.ts';
import type { CheckCall } from '../statement-checks/index.ts';
import { patternNote } from './mining/pattern.ts';
import { proposePatch, withdrawPatch } from './patch-store.ts';
import * as store from './pattern-store.ts';
import { presentPattern } from './present.ts';
import type { createReplay } from './replay.ts';
import { learningStats } from './stats-store.ts';

export type LearningDeps = {
  readonly database: Database;
  readonly audit: Audit;
  readonly replay: ReturnType<typeof createReplay>;
  /** Returns true when the service may learn from the use of the project's data. */
  readonly learns: (projectId: number) => Promise<boolean>;
  readonly startLearning: (tx: Tx, caller: Caller, projectId: number) => Promise<{ readonly jobId: string }>;
};

export type LearningService = ReturnType<typeof createLearningService>;

type Query = ListQuery & {
  readonly projectId?: number;
  readonly dataSourceId?: number;
  readonly state?: PatternState;
  readonly kind?: PatternKind;
  readonly table?: string;
};

const callFor = (caller: Caller, signal: AbortSignal): CheckCall => ({
  signal,
  callerId: `learning ${caller.userId ?? caller.kind}`,
});

/**
 * Creates the service for learned patterns. Readers of the project see them; callers with write access decide about
 * them.
 */
export function createLearningService(deps: LearningDeps) {
  const { database, audit, replay } = deps;
  const requirePattern = async (
    executor: Executor,
    caller: Caller,
    id: number,
    options?: { readonly forUpdate: boolean },
  ): Promise<store.PatternRow> => {
    const pattern = await store.findPattern(executor, reachOf(caller), id, options);
    if (!pattern) throw notFound();
    return pattern;
  };

  return {
    list: async (caller: Caller, query: Query): Promise<Page<LearnedPattern>> => {
      const page = pageRequest(query, {
        sortable: store.patternSortable,
        byDefault: '-signalCount',
        unique: 'k.id',
      });
      const filter = {
        projectId: query.projectId ?? null,
        dataSourceId: query.dataSourceId ?? null,
        id: null,
        state: query.state ?? null,
        kind: query.kind ?? null,
        table: query.table || null,
      };
      const { rows, totalCount } = await store.listPatterns(database, reachOf(caller), filter, page);
      return pageOf(rows.map(presentPattern), totalCount, page);
    },

    get: async (caller: Caller, id: number): Promise<LearnedPattern> =>
      presentPattern(await requirePattern(database, caller, id)),

    replay: async (caller: Caller, id: number, signal: AbortSignal): Promise<PatternReplay> =>
      replay(await requirePattern(database, caller, id), callFor(caller, signal)),

    /** Stores the replay with an approval. The replay does not affect the decision. */
    decide: async (
      by: CallerActor,
      id: number,
      state: 'Approved' | 'Rejected',
      signal: AbortSignal,
    ): Promise<LearnedPattern> => {
      const { caller } = by;
      const before = await requirePattern(database, caller, id);
      await requireRight(database, caller, before.projectId, 'Write');
      const replayResult = state === 'Approved' ? await replay(before, callFor(caller, signal)) : null;
      return database.transaction(async (tx) => {
        const pattern = await requirePattern(tx, caller, id, { forUpdate: true });
        const { projectId } = pattern;
        await requireRight(tx, caller, projectId, 'Write');
        if (pattern.state === 'Superseded')
          throw conflict('pattern-superseded', 'The schema does not have its names any more.');
        await store.decidePattern(tx, id, { state, userId: caller.userId, replay: replayResult });
        if (state === 'Rejected') await withdrawPatch(tx, id);
        else await proposePatch(tx, { projectId, patternId: id, content: patternNote(pattern) });
        const event = state === 'Approved' ? 'learning.pattern_approved' : 'learning.pattern_rejected';
        await audit.record(tx, { event, by, subject: { kind: 'learned_pattern', id }, projectId });
        return presentPattern(await requirePattern(tx, caller, id));
      });
    },

    learnNow: async (by: CallerActor, projectId: number): Promise<{ readonly jobId: string }> => {
      await requireRight(database, by.caller, projectId, 'Write');
      if (!(await deps.learns(projectId)))
        throw conflict(
          'learning-off',
          'Learning is off in this project. An Admin switches it on in the MCP settings.',
        );
      return database.transaction(async (tx) => {
        const started = await deps.startLearning(tx, by.caller, projectId);
        const subject = { kind: 'project', id: projectId } as const;
        await audit.record(tx, { event: 'learning.started', by, subject, projectId, detail: started });
        return started;
      });
    },

    stats: async (caller: Caller, projectId: number | undefined): Promise<LearningStats> => {
      if (projectId !== undefined) await requireRight(database, caller, projectId, 'Read');
      return learningStats(database, reachOf(caller), projectId ?? null);
    },
  };
}
