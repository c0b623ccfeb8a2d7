import { createSvc, type SvcOptions } from '@svc/server';
import { whileDatabaseAway } from '@svc/server/operations';
import { sayWait } from './database/external-database.ts';
import { tellOfMigrations } from './database/migrations.ts';
import { demoEndpoints } from './demo/endpoints.ts';
import { startMail } from './email/index.ts';
import { errorMapping } from './error-mapping.ts';
import type { Infrastructure, Stops } from './infrastructure.ts';
import { provisionAtStart } from './provisioning.ts';
import type { StartOptions } from './start-options.ts';
import { startTelemetry } from './telemetry/index.ts';
import { webFolder } from './web-folder.ts';

/** Path of the job dashboard for signed-in Admins. */
const dashboardPrefix = '/warp';

/**
 * Creates the service with its mail and its telemetry, and provisions it. It neither listens nor runs jobs yet.
 * `setupToken` returns the token that the setup requires, once the service has created one.
 */
export async function createService(
  { config, database, inbox, demo }: Infrastructure,
  { env, say }: StartOptions,
  stops: Stops,
) {
  const telemetry = await startTelemetry(config, env);
  if (telemetry) stops.push(telemetry.close);
  const pages = webFolder();
  const mail = startMail(config);
  if (mail) stops.push(mail.close);
  let setupToken: string | undefined;
  const options: SvcOptions = {
    config,
    database: database.connection,
    isDatabaseChecked: true,
    errorMapping,
    onMigration: tellOfMigrations(say),
    ...(mail && { email: mail.adapter }),
    ...(inbox && { inbox: { deliveryUrl: inbox.deliveryUrl, pageUrl: inbox.pageUrl } }),
    ...(pages !== undefined && { pages: { folder: pages } }),
    ...(telemetry && { telemetry: telemetry.providers }),
    dashboard: { prefix: dashboardPrefix, observesEndpoints: true },
    endpoints: demo ? demoEndpoints : [],
    onSetupToken: (token) => {
      setupToken = token;
    },
  };
  const waiting = { onWait: sayWait(say) };
  const svc = await whileDatabaseAway(() => createSvc(options), waiting);
  stops.push(svc.close);
  if (demo) await svc.demo.install(demo.definition);
  await whileDatabaseAway(() => provisionAtStart(svc, { config, env, say }), waiting);
  return { svc, answerMetrics: telemetry?.answerMetrics, setupToken: () => setupToken };
}
