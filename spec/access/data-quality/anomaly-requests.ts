import { failedRun } from '../delivery/failed-run.ts';
import type { Fixture } from '../fixture.ts';
import type { Recipe } from '../recipe.ts';

const subscriptions = '/svc/api/subscriptions';

type Fresh = (fixture: Fixture) => Promise<number>;

/** Requests about row counts. @param fresh  Creates a subscription, and a recipient. */
export const anomalyRecipes = (fresh: {
  readonly subscription: Fresh;
  readonly recipient: Fresh;
}): Readonly<Record<string, Recipe>> => ({
  [`GET ${subscriptions}/{id}/anomaly-chart`]: async (fixture) => ({
    path: `${subscriptions}/${await fresh.subscription(fixture)}/anomaly-chart`,
  }),
  [`POST ${subscriptions}/{id}/anomalies/{notificationId}/verdict`]: async (fixture) => {
    const id = await fresh.subscription(fixture);
    const run = await failedRun(fixture, id, await fresh.recipient(fixture));
    await fixture.svc.sql(
      `update svc.runs set result_count = 9, anomaly_direction = 'Up', anomaly_severity = 'Low',
         anomaly_explanation = '9 rows' where id = $1`,
      [run.id],
    );
    return {
      path: `${subscriptions}/${id}/anomalies/${run.id}/verdict`,
      body: { verdict: 'Expected' },
    };
  },
});
