import type { Db } from '../db.ts';

/** Sums of one endpoint of one application. */
export type EndpointSums = {
  /** Null for calls that were recorded without an application. */
  readonly application: string | null;
  /** Method, blank, template. */
  readonly route: string;
  readonly success: number;
  readonly failed: number;
  readonly durationMs: number;
};

/** Sums of all endpoints; each application's apart, since it is part of what an endpoint is. */
export const listEndpoints = (db: Db, application: string | null): Promise<EndpointSums[]> =>
  db.rows<EndpointSums>(
    `select nullif(application, '') as application, endpoint as route, success, failed, duration_ms as "durationMs"
     from ${db.schema}.endpoint_statistic where $1::text is null or application = $1
     order by endpoint collate "C", application collate "C" limit 5000`,
    [application],
  );

/** Whether any process has ever recorded a call here. */
export async function hasEndpoints(db: Db): Promise<boolean> {
  return (await db.rows(`select from ${db.schema}.endpoint_statistic limit 1`)).length > 0;
}
