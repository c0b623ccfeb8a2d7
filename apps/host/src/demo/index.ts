import type { Config, DemoDefinition } from '@svc/server';
import type { MetadataDatabase } from '../metadata-database.ts';
import { demoCertificates } from './certificates.ts';
import { startInbox } from './inbox.ts';
import { ensureReportsDatabase, ensureShopDatabase, ensureTargetsFile } from './shop-database.ts';

/** What the demo stands on, running. */
export type Demo = {
  readonly definition: DemoDefinition;
  /** Settings that the demo adds to the configured ones; shown at start. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly inboxUrl: string;
  readonly close: () => Promise<void>;
};

const loopbackNetwork = '127.0.0.1/32';
const demoIntervalSeconds = 15;

/** Brings up the shop database and the inbox, and says which settings they add. */
export async function startDemo(options: {
  config: Config;
  database: MetadataDatabase;
  say: (line: string) => void;
}): Promise<Demo> {
  const { config, database, say } = options;
  const { admin, loopbackPort } = database;
  if (!admin || loopbackPort === undefined) throw new Error('The demo needs the built-in database.');
  const dataDirectory = config['Svc:DataDirectory'];
  const certificates = await demoCertificates(dataDirectory);
  const inbox = await startInbox(config['Svc:Demo:InboxPort'], certificates);
  const shop = await ensureShopDatabase({ admin, loopbackPort, dataDirectory });
  const reports = await ensureReportsDatabase({ admin, loopbackPort, dataDirectory });
  const targetsFile = ensureTargetsFile(dataDirectory);
  say(
    `Demo: adds ${loopbackNetwork} to Svc:Notifications:AllowedPrivateNetworks:Webhook, its own certificate authority to`,
  );
  say(
    `      Svc:Notifications:TrustedCertificates, sets Svc:Subscriptions:MinimumIntervalSeconds to ${demoIntervalSeconds}, and`,
  );
  say('      turns on Svc:Migrations:Enabled for a job of data migration.');
  return {
    definition: { shop, reports, targetsFile, inboxUrl: inbox.deliveryUrl },
    settings: {
      'Svc:Notifications:AllowedPrivateNetworks:Webhook': [
        ...config['Svc:Notifications:AllowedPrivateNetworks:Webhook'],
        loopbackNetwork,
      ],
      'Svc:Notifications:TrustedCertificates': [
        ...config['Svc:Notifications:TrustedCertificates'],
        certificates.authority,
      ],
      'Svc:Migrations:Enabled': true,
      'Svc:Subscriptions:MinimumIntervalSeconds': Math.min(
        demoIntervalSeconds,
        config['Svc:Subscriptions:MinimumIntervalSeconds'],
      ),
    },
    inboxUrl: inbox.pageUrl,
    close: inbox.close,
  };
}
