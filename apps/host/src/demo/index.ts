import type { Config, DemoDefinition } from '@svc/server';
import type { MetadataDatabase } from '../database/metadata-database.ts';
import type { Inbox } from '../inbox/index.ts';
import { ensureReportsDatabase, ensureShopDatabase, ensureTargetsFile } from './shop-database.ts';

/** The running demo. */
export type Demo = {
  readonly definition: DemoDefinition;
  /** Settings that the demo adds to the configured settings; shown at start. */
  readonly settings: Readonly<Record<string, unknown>>;
};

const demoIntervalSeconds = 15;

/** Starts the shop database and returns the demo's settings. */
export async function startDemo(options: {
  config: Config;
  database: MetadataDatabase;
  inbox: Inbox;
  say: (line: string) => void;
}): Promise<Demo> {
  const { config, database, inbox, say } = options;
  const { admin, loopbackPort } = database;
  if (!admin || loopbackPort === undefined) throw new Error('The demo needs the built-in database.');
  const dataDirectory = config['Svc:DataDirectory'];
  const shop = await ensureShopDatabase({ admin, loopbackPort, dataDirectory });
  const reports = await ensureReportsDatabase({ admin, loopbackPort, dataDirectory });
  const targetsFile = ensureTargetsFile(dataDirectory);
  say(
    `Demo: sets Svc:Subscriptions:MinimumIntervalSeconds to ${demoIntervalSeconds}, and turns on Svc:Migrations:Enabled`,
  );
  say('      for a job of data migration.');
  return {
    definition: { shop, reports, targetsFile, inboxUrl: inbox.deliveryUrl },
    settings: {
      'Svc:Migrations:Enabled': true,
      'Svc:Subscriptions:MinimumIntervalSeconds': Math.min(
        demoIntervalSeconds,
        config['Svc:Subscriptions:MinimumIntervalSeconds'],
      ),
    },
  };
}
