import type { Config } from '@svc/server';
import { inboxCertificates } from './certificates.ts';
import { startInboxServer } from './server.ts';

/** The host's own inbox, running: a webhook on this machine that shows what arrives. */
export type Inbox = {
  /** Where deliveries are sent to. */
  readonly deliveryUrl: string;
  /** Where a person looks at them. */
  readonly pageUrl: string;
  /** Settings without which nothing would be delivered to this machine; shown at start. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly close: () => Promise<void>;
};

const loopbackNetwork = '127.0.0.1/32';

/** Starts the inbox, and says which settings it adds. */
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
