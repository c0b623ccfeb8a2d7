import type { Config } from '@svc/server';
import { inboxCertificates } from './certificates.ts';
import { startInboxServer } from './server.ts';

/** The running inbox of the host: a webhook on this machine that shows received deliveries. */
export type Inbox = {
  /** URL for deliveries. */
  readonly deliveryUrl: string;
  /** URL of the page that shows them. */
  readonly pageUrl: string;
  /** Settings that allow deliveries to this machine; shown at start. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly close: () => Promise<void>;
};

const loopbackNetwork = '127.0.0.1/32';

/** Starts the inbox and returns its settings. */
export async function startInbox(config: Config, say: (line: string) => void): Promise<Inbox> {
  const certificates = await inboxCertificates(config['Svc:DataDirectory']);
  const { deliveryUrl, pageUrl, close } = await startInboxServer(
    { address: config['Svc:Host:Inbox:Address'], port: config['Svc:Demo:InboxPort'] },
    certificates,
  );
  say(
    `Inbox: adds ${loopbackNetwork} to Svc:Notifications:AllowedPrivateNetworks:Webhook, and its own certificate`,
  );
  say('       authority to Svc:Notifications:TrustedCertificates.');
  return {
    deliveryUrl,
    pageUrl,
    settings: {
      'Svc:Notifications:AllowedPrivateNetworks:Webhook': [
        ...config['Svc:Notifications:AllowedPrivateNetworks:Webhook'],
        loopbackNetwork,
      ],
      'Svc:Notifications:TrustedCertificates': [
        ...config['Svc:Notifications:TrustedCertificates'],
        certificates.authority,
      ],
    },
    close,
  };
}
