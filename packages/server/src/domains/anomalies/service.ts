import type { AnomalyChart, AnomalyVerdict } from '@svc/contract';
import type { RawBuilder } from 'kysely';
import type { Caller } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { notFound } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import * as store from './store.ts';

const daysDefault = 30;
const pointsMax = 2_000;

export type AnomaliesDeps = {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly audit: Audit;
  /** Returns a condition on `svc.runs` as `r` for the runs that the caller may see. */
  readonly visibleRuns: (caller: Caller) => Promise<RawBuilder<boolean>>;
};

export type AnomaliesService = ReturnType<typeof createAnomaliesService>;

/** Manages anomalies of subscriptions: counts, expected ranges, and verdicts of users on flagged counts. */
export function createAnomaliesService({ database, rights, audit, visibleRuns }: AnomaliesDeps) {
  return {
    chart: async (caller: Caller, subscriptionId: number, days = daysDefault): Promise<AnomalyChart> => {
      const watched = await store.findWatched(database, subscriptionId);
      if (!watched) throw notFound();
      await rights.require(database, caller, watched.projectId, 'Read');
      const visible = await visibleRuns(caller);
      const rows = await store.chartRows(database, subscriptionId, { days, limit: pointsMax + 1, visible });
      const { anomaly: model } = watched;
      return {
        points: rows
          .slice(0, pointsMax)
          .toReversed()
          .map(({ dueAt, ...row }) => ({ ...row, dueAt: dueAt.toISOString() })),
        isCut: rows.length > pointsMax,
        model,
        pointCount:
          model === null ? 0 : await store.countPoints(database, subscriptionId, model.lookbackDays, visible),
        pointsNeeded: model?.minimumDataPoints ?? 0,
      };
    },

    setVerdict: async (
      actor: CallerActor,
      subscriptionId: number,
      runId: number,
      verdict: AnomalyVerdict | null,
    ): Promise<void> => {
      const visible = await visibleRuns(actor.caller);
      await database.transaction(async (tx) => {
        const watched = await store.findWatched(tx, subscriptionId);
        if (!watched) throw notFound();
        await rights.require(tx, actor.caller, watched.projectId, 'Write');
        const run = await store.findRunOf(tx, subscriptionId, runId, visible);
        if (!run || !(await store.setVerdict(tx, run, verdict, actor.caller.userId))) throw notFound();
        await audit.record(tx, {
          by: actor,
          event: 'subscriptions.anomaly_verdict_given',
          subject: { kind: 'subscription', id: subscriptionId },
          projectId: watched.projectId,
          detail: { runId, verdict },
        });
      });
    },
  };
}
