import type { Db } from '../db.ts';

/** Sums of one endpoint of one application. */
export type EndpointSums = {
  /** Null for calls recorded without an application. */
  readonly application: string | null;
  /** Method, space, template. */
  readonly route: string;
  readonly success: number;
  readonly failed: number;
  readonly durationMs: number;
};

/** Returns the sums of all endpoints, separately for each application, because it is part of an endpoint's identity. */
export const listEndpoints = (db: Db, application: string | null): Promise<EndpointSums[]> =>
  db.rows<EndpointSums>(
    `select nullif(application, '') as application, endpoint as route, success, failed, duration_ms as "durationMs"
     from ${db.schema}.endpoint_statistic where $1::text is null or application = $1
     order by endpoint collate "C", application collate "C" limit 5000`,
    [application],
  );

/** Returns true when any process has recorded a call. */
export async function hasEndpoints(db: Db): Promise<boolean> {
  return (await db.rows(`select from ${db.schema}.endpoint_statistic limit 1`)).length > 0;
}
