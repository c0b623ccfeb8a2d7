import { mask } from '@svc/channels';
import { describe, expect, test } from 'vitest';
import { seal, systemRandomness } from '../../platform/crypto/index.ts';
import type { SendOptions } from './create-send.ts';
import { approvedHashOf, fingerprintsOf, type RecipientDefinition } from './definition.ts';
import type { Ledger, RecipientApproval } from './ports.ts';
import { recipientSecretLocation } from './stored-recipient.ts';
import {
  dispatch,
  governed,
  keyRing,
  message,
  otherRing,
  type RowChanges,
  rotatedRing,
  settings,
  signal,
  useSendHarness,
} from './testing/harness.ts';
import { createMemoryLedger } from './testing/stores.ts';

const harness = useSendHarness();

describe('the approval of a recipient', () => {
  const skipped = async (approval: RecipientApproval, reason: string, ring = keyRing) => {
    harness.addRecipient(1, '/status/200', { approval });
    const ledger = createMemoryLedger();
    expect(await harness.openSend({ ledger, keyRing: ring }).toRecipient(dispatch(1))).toMatchObject({
      state: 'Skipped',
      reason,
    });
    expect(harness.receiver.received).toEqual([]);
    expect(ledger.rows.get('run-1-1-1')?.end).toMatchObject({ state: 'Skipped', reason });
  };

  test('permits a delivery under the current or an earlier key', async () => {
    for (const ring of [keyRing, rotatedRing]) {
      const definition = harness.addRecipient(1, '/status/200', {
        definition: { customHeaders: { 'X-Api-Key': 'a' } },
      });
      const approvedHash = approvedHashOf(keyRing, definition);
      harness.addRecipient(1, '/status/200', { definition, approval: governed({ approvedHash }) });
      const ledger = createMemoryLedger();
      expect(await harness.openSend({ ledger, keyRing: ring }).toRecipient(dispatch(1))).toMatchObject({
        state: 'Sent',
      });
    }
  });

  test('prevents a delivery if it is awaited, rejected, missing or outdated', async () => {
    const other = approvedHashOf(keyRing, {
      type: 'Webhook',
      destination: 'https://x.example/',
      customHeaders: {},
    });
    await skipped(governed({ state: 'AwaitingApproval' }), 'AwaitingApproval');
    await skipped(governed({ state: 'AwaitingApproval', approvedHash: other }), 'AwaitingApproval');
    await skipped(governed({ state: 'Rejected' }), 'Rejected');
    await skipped(governed({ state: 'Rejected', approvedHash: other }), 'Rejected');
    await skipped(governed({ state: 'Approved', approvedHash: other }), 'ChangedSinceApproval');
    await skipped(governed({ state: 'Approved', approvedHash: 'nonsense' }), 'ChangedSinceApproval');
  });

  test('prevents a delivery if the key of its hash is unknown', async () => {
    const definition = harness.addRecipient(1, '/status/200');
    await skipped(governed({ approvedHash: approvedHashOf(otherRing, definition) }), 'ApprovalUnverifiable');
  });

  test('covers type, destination, header names and header values, but not the order or the case of names', async () => {
    const base: RecipientDefinition = {
      type: 'Webhook',
      destination: 'https://hooks.example.com/a',
      customHeaders: { 'X-Api-Key': 'a', Authorization: 'b' },
    };
    const hash = approvedHashOf(keyRing, base);
    expect(
      approvedHashOf(keyRing, { ...base, customHeaders: { authorization: 'b', 'x-api-key': 'a' } }),
    ).toBe(hash);
    for (const changed of [
      { ...base, type: 'ChatBlocks' as const },
      { ...base, destination: 'https://hooks.example.com/b' },
      { ...base, customHeaders: {} },
      { ...base, customHeaders: { 'X-Api-Key': 'b', Authorization: 'a' } },
      { ...base, customHeaders: { 'X-Api-Key': 'a' } },
    ])
      expect(approvedHashOf(keyRing, changed)).not.toBe(hash);
  });

  test('prevents a delivery if the recipient changed or was deleted after the run loaded it', async () => {
    const definition = harness.addRecipient(1, '/status/200');
    const approvedHash = approvedHashOf(keyRing, definition);
    harness.addRecipient(1, '/status/200', { approval: governed({ approvedHash }) });
    // The change is committed while the attempt is written: after the run, before the send.
    const begin: Ledger['begin'] = async (start) => {
      harness.addRecipient(1, '/status/201', {
        approval: governed({ approvedHash, state: 'AwaitingApproval' }),
      });
      return createMemoryLedger().begin(start);
    };
    const changing = createMemoryLedger({ begin });
    expect(await harness.openSend({ ledger: changing }).toRecipient(dispatch(1))).toMatchObject({
      reason: 'AwaitingApproval',
    });
    harness.recipients.rows.delete(1);
    expect(await harness.openSend().toRecipient(dispatch(1))).toMatchObject({
      state: 'Skipped',
      reason: 'RecipientMissing',
    });
    expect(harness.receiver.received).toEqual([]);
  });

  test('is not required for a recipient without governance or for a send without a recipient', async () => {
    harness.addRecipient(1, '/status/200');
    const send = harness.openSend();
    expect(await send.toRecipient(dispatch(1))).toMatchObject({ state: 'Sent' });
    const direct = { type: 'Webhook', destination: harness.receiver.urlOf('/status/202') } as const;
    expect(await send.toDestination(direct, { deliveryId: 'x', message, signal })).toMatchObject({
      state: 'Sent',
    });
    expect(harness.ledger.rows.size).toBe(1);
  });
});

describe('stored secrets', () => {
  const failed = async (changes: RowChanges, reason: string, rest: Partial<SendOptions> = {}) => {
    harness.addRecipient(1, '/status/200', changes);
    expect(
      await harness.openSend({ ledger: createMemoryLedger(), ...rest }).toRecipient(dispatch(1)),
    ).toMatchObject({
      state: 'Failed',
      reason,
      mayHaveArrived: false,
    });
    expect(harness.receiver.received).toEqual([]);
  };
  const plain = () => ({
    destinationSealed: harness.receiver.urlOf('/status/200'),
    headersSealed: '{"X-Api-Key":"k"}',
  });

  test('prevent a delivery with a stated reason if they cannot be decrypted', async () => {
    await failed({}, 'DestinationUnreadable', { keyRing: otherRing });
    const sealed = seal(
      keyRing,
      harness.receiver.urlOf('/x'),
      recipientSecretLocation.destination(2),
      systemRandomness,
    );
    await failed({ destinationSealed: sealed }, 'DestinationUnreadable');
    const sealedDestination = seal(
      keyRing,
      harness.receiver.urlOf('/x'),
      recipientSecretLocation.destination(1),
      systemRandomness,
    );
    await failed({ destinationSealed: `w${sealedDestination.slice(1)}` }, 'DestinationUnreadable');
    await failed(
      { destinationSealed: sealedDestination, headersSealed: sealedDestination },
      'DestinationUnreadable',
    );
    await failed({ headersSealed: 'not json' }, 'DestinationUnreadable');
    await failed({ headersSealed: '{"X-Api-Key":1}' }, 'DestinationUnreadable');
  });

  test('from before encryption are used, unless encryption is required', async () => {
    harness.addRecipient(1, '/', plain());
    expect(await harness.openSend().toRecipient(dispatch(1))).toMatchObject({ state: 'Sent' });
    expect(harness.receiver.received).toMatchObject([{ headers: { 'x-api-key': 'k' } }]);
    harness.receiver.received.length = 0;
    await failed(plain(), 'DestinationNotEncrypted', {
      settings: { ...settings, requireEncryptedSecrets: true },
    });
  });

  test('do not appear in the log', async () => {
    harness.addRecipient(1, '/hang/pl4nted?token=pl4nted', {
      definition: { customHeaders: { 'X-Api-Key': 'pl4nted' } },
    });
    harness.addRecipient(2, '/x', { destinationSealed: 'pl4nted' });
    await harness.openSend().toRecipients([dispatch(1), dispatch(2)]);
    expect(harness.logged.length).toBeGreaterThan(2);
    expect(JSON.stringify(harness.logged)).not.toContain('pl4nted');
  });
});

test('fingerprints have 12 hexadecimal characters and distinguish values without revealing them', () => {
  const definition: RecipientDefinition = {
    type: 'Webhook',
    destination: 'https://hooks.example.com/s3cret',
    customHeaders: { 'X-Api-Key': 's3cret', Authorization: 's3cret' },
  };
  const fingerprints = fingerprintsOf(keyRing, definition);
  expect(fingerprints.definition).toMatch(/^[0-9a-f]{12}$/);
  expect(fingerprints.headers.map(({ name }) => name)).toEqual(['X-Api-Key', 'Authorization']);
  expect(fingerprints.headers[0]?.fingerprint).toMatch(/^[0-9a-f]{12}$/);
  expect(fingerprints.headers[0]?.fingerprint).toBe(fingerprints.headers[1]?.fingerprint);
  expect(JSON.stringify(fingerprints)).not.toContain('s3cret');
  expect(fingerprintsOf(otherRing, definition).definition).not.toBe(fingerprints.definition);
  expect(JSON.stringify(fingerprints)).not.toContain(mask);
});
