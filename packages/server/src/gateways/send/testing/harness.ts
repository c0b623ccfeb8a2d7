import type { Message } from '@svc/channels';
import type { WebhookSink } from '@svc/testkit/runs/webhook-sink.ts';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { loadConfig } from '../../../platform/config/index.ts';
import { createKeyRing, systemRandomness } from '../../../platform/crypto/index.ts';
import { createOutbound, type Outbound } from '../../../platform/outbound/index.ts';
import { createSend, type Dispatch, type Send, type SendOptions } from '../create-send.ts';
import type { RecipientDefinition } from '../definition.ts';
import { createDestinationRules } from '../destination-rules.ts';
import type { RecipientApproval, RecipientRow } from '../ports.ts';
import { readSendSettings, type SendSettings } from '../settings.ts';
import { sealRecipient } from '../stored-recipient.ts';
import { startReceiver } from './receiver.ts';
import { createMemoryLedger, createMemoryRecipients, type MemoryLedger } from './stores.ts';

const keyText = 'the key of these tests, which is long enough';
export const keyRing = createKeyRing({ encryptionKey: keyText });
export const otherRing = createKeyRing({ encryptionKey: 'another key of these tests, long enough' });
export const rotatedRing = createKeyRing({
  encryptionKey: 'the key after a rotation, which is long enough',
  previousEncryptionKeys: [keyText],
});

/** Settings of the tests: webhooks may reach loopback, the address of the receiver. */
export const settings: SendSettings = {
  ...readSendSettings(
    loadConfig({
      env: {},
      values: { 'Svc:Notifications:AllowedPrivateNetworks:Webhook': ['127.0.0.0/8'] },
    }).config,
  ),
  deliveryTimeoutMs: 4_000,
};

export const message: Message = {
  subscriptionName: 'Late orders',
  subscriptionId: 42,
  dataSourceName: 'Shop',
  totalRows: 1,
  columns: ['id'],
  rows: [[1]],
  timedOut: false,
  timestamp: new Date('2026-03-04T05:06:07Z'),
};

/** Returns an approval of a recipient under the workflow. */
export const governed = (
  changes: Partial<Extract<RecipientApproval, { kind: 'Governed' }>>,
): RecipientApproval => ({ kind: 'Governed', state: 'Approved', approvedHash: null, ...changes });

export const signal = new AbortController().signal;

/** Returns a dispatch to a recipient: the first attempt at the message of run 1. */
export const dispatch = (recipientId: number, changes: Partial<Dispatch> = {}): Dispatch => ({
  delivery: { run: { id: 1, dueAt: new Date(0) }, messageNo: 0, recipientId, attempt: 1 },
  messageId: `run-1-${recipientId}`,
  message,
  signal,
  ...changes,
});

/** Changes to a stored recipient. */
export type RowChanges = Partial<RecipientRow> & { readonly definition?: Partial<RecipientDefinition> };

/** Fixtures of the gateway's tests. All except the receiver are new for each test. */
export type SendHarness = {
  readonly receiver: WebhookSink;
  readonly ledger: MemoryLedger;
  readonly recipients: ReturnType<typeof createMemoryRecipients>;
  /** Log entries of this gateway and of the outbound gateway. */
  readonly logged: unknown[];
  readonly openSend: (changes?: Partial<SendOptions>) => Send;
  /** Stores a recipient, sealed under the tests' key. */
  readonly addRecipient: (recipientId: number, path: string, changes?: RowChanges) => RecipientDefinition;
};

/** Registers the set-up of a test file and returns its fixtures. */
export function useSendHarness(): SendHarness {
  let receiver: WebhookSink | undefined;
  let ledger = createMemoryLedger();
  let recipients = createMemoryRecipients();
  const open: Outbound[] = [];
  const logged: unknown[] = [];
  const theReceiver = () => {
    if (!receiver) throw new Error('The receiver has not been started.');
    return receiver;
  };

  beforeAll(async () => {
    receiver = await startReceiver();
  });
  beforeEach(() => {
    ledger = createMemoryLedger();
    recipients = createMemoryRecipients();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((outbound) => outbound.close()));
    theReceiver().received.length = 0;
    theReceiver().onReceived = () => undefined;
    logged.length = 0;
  });
  afterAll(() => receiver?.close());

  return {
    get receiver() {
      return theReceiver();
    },
    get ledger() {
      return ledger;
    },
    get recipients() {
      return recipients;
    },
    logged,
    openSend: (changes = {}) => {
      const outbound = createOutbound({
        resolve: async () => ['127.0.0.1'],
        trustedCertificates: [theReceiver().certificate],
        log: (detail) => logged.push(detail),
      });
      open.push(outbound);
      const used = changes.settings ?? settings;
      const rules = createDestinationRules(used, outbound, { hasEmailAdapter: changes.email !== undefined });
      const log = { warn: (...entry: unknown[]) => void logged.push(entry) } as SendOptions['log'];
      return createSend({ settings: used, rules, keyRing, outbound, recipients, ledger, log, ...changes });
    },
    addRecipient: (recipientId, path, { definition, ...changes } = {}) => {
      const full: RecipientDefinition = {
        type: 'Webhook',
        destination: theReceiver().urlOf(path),
        customHeaders: {},
        ...definition,
      };
      recipients.rows.set(recipientId, {
        recipientId,
        type: full.type,
        ...sealRecipient(keyRing, recipientId, full, systemRandomness),
        bodyTemplate: null,
        numbers: 'Text',
        approval: { kind: 'NotGoverned' },
        ...changes,
      });
      return full;
    },
  };
}
