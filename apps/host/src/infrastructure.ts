import { type Config, loadConfig } from '@svc/server';
import { whileDatabaseAway } from '@svc/server/operations';
import { checkHostSettings } from './check-settings.ts';
import { requireExternalDatabase, sayWait } from './database/external-database.ts';
import {
  builtInDatabase,
  externalDatabase,
  hasStoredSecrets,
  type MetadataDatabase,
} from './database/metadata-database.ts';
import { startDemo } from './demo/index.ts';
import { encryptionKey } from './encryption-key.ts';
import { startInbox } from './inbox/index.ts';
import { requireFreePorts } from './listening/ports.ts';
import type { StartOptions } from './start-options.ts';

/** Stop functions of the started components, in the order of their start. */
export type Stops = (() => Promise<void>)[];

/** Components that run before the service, and the settings that result from them. */
export type Infrastructure = {
  readonly config: Config;
  readonly database: MetadataDatabase;
  readonly inbox: Awaited<ReturnType<typeof startInbox>> | undefined;
  readonly demo: Awaited<ReturnType<typeof startDemo>> | undefined;
  readonly hasDemo: boolean;
};

async function startDatabase(configured: Config, hasDemo: boolean, say: StartOptions['say'], stops: Stops) {
  const connectionString = configured['Svc:Database:ConnectionString'];
  const isExternal = connectionString !== undefined;
  say(isExternal ? 'Using the configured PostgreSQL ...' : 'Starting the built-in PostgreSQL ...');
  const database = isExternal
    ? externalDatabase(connectionString)
    : await builtInDatabase({
        dataDirectory: configured['Svc:DataDirectory'],
        listensOnLoopback: hasDemo,
        say,
      });
  stops.push(database.close);
  if (isExternal) await requireExternalDatabase(database.connection, say);
  return database;
}

/** Starts the database, the inbox if it is enabled, and the demo, which delivers to the inbox. Determines the key. */
export async function startInfrastructure(
  { env, say, withDemo }: StartOptions,
  stops: Stops,
): Promise<Infrastructure> {
  const configured = loadConfig({ env }).config;
  checkHostSettings(configured);
  const isExternal = configured['Svc:Database:ConnectionString'] !== undefined;
  const hasDemo = withDemo && !isExternal && configured['Svc:Host:Roles'].includes('Web');
  if (withDemo && !hasDemo) say('No demo: it needs the built-in database and the role Web.');
  const database = await startDatabase(configured, hasDemo, say, stops);
  // Must follow the database: a stopping service on the same data directory still uses its port, and the database waits
  // for it.
  await requireFreePorts(configured);
  const keySettings = await encryptionKey({
    config: configured,
    hasSecrets: () =>
      whileDatabaseAway(() => hasStoredSecrets(database.connection), { onWait: sayWait(say) }),
    say,
  });
  const hasInbox = hasDemo || configured['Svc:Host:Inbox:Enabled'];
  const inbox = hasInbox ? await startInbox(configured, say) : undefined;
  if (inbox) stops.push(inbox.close);
  const demo = hasDemo && inbox ? await startDemo({ config: configured, database, inbox, say }) : undefined;
  const { config } = loadConfig({
    env,
    values: { ...keySettings, ...inbox?.settings, ...demo?.settings },
  });
  return { config, database, inbox, demo, hasDemo };
}
