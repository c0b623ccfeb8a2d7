import { createSigningSecret, type Email } from '@svc/channels';
import { describe, expect, test } from 'vitest';
import { systemRandomness } from '../../platform/crypto/index.ts';
import { approvedHashOf } from './definition.ts';
import { type Ledger, remedyOfReason, textOfReason } from './ports.ts';
import type { SendSettings } from './settings.ts';
import { sealSigningSecrets } from './stored-recipient.ts';
import { dispatch, governed, keyRing, type RowChanges, settings, useSendHarness } from './testing/harness.ts';
import { createMemoryLedger } from './testing/stores.ts';

const harness = useSendHarness();

describe('a delivery', () => {
  test('is in the ledger as Sending before it is sent, and with its outcome afterwards', async () => {
    harness.addRecipient(1, '/status/200', { definition: { customHeaders: { 'X-Api-Key': 'k3y' } } });
    const during: unknown[] = [];
    harness.receiver.onReceived = () => void during.push(harness.ledger.rows.get('run-1-1-1')?.end);
    const result = await harness.openSend().toRecipient(dispatch(1));
    expect(during).toEqual(['Sending']);
    expect(result).toMatchObject({
      state: 'Sent',
      reason: null,
      httpClass: '2xx',
      delivery: { run: { id: 1, dueAt: new Date(0) }, messageNo: 0, recipientId: 1, attempt: 1 },
    });
    expect(result.bytesSent).toBeGreaterThan(100);
    expect(harness.ledger.rows.get('run-1-1-1')?.end).toMatchObject({ state: 'Sent', httpClass: '2xx' });
    expect(harness.receiver.received).toMatchObject([
      { path: '/status/200', headers: { 'x-api-key': 'k3y' } },
    ]);
    expect(JSON.parse(harness.receiver.received[0]?.text ?? '')).toMatchObject({
      source: 'Svc',
      subscriptionId: 42,
    });
    expect(harness.logged).toEqual([]);
  });

  test('uses the body template', async () => {
    harness.addRecipient(1, '/status/200', { bodyTemplate: '{"n":{{TotalRecords}}}' });
    await harness.openSend().toRecipient(dispatch(1));
    expect(harness.receiver.received[0]?.text).toBe('{"n":1}');
  });

  test('is signed if the recipient has a signing secret; a repetition has the same id and another time', async () => {
    const secret = createSigningSecret(systemRandomness);
    const signingSecretsSealed = sealSigningSecrets(keyRing, 1, [secret], systemRandomness);
    harness.addRecipient(1, '/status/200', { signingSecretsSealed });
    const times = [new Date('2026-03-04T05:06:07Z'), new Date('2026-03-04T06:06:07Z')];
    const send = harness.openSend({ clock: { now: () => times.shift() ?? new Date(0) } });
    await send.toRecipient(dispatch(1, { messageId: 'msg_1' }));
    await send.toRecipient(
      dispatch(1, {
        delivery: { run: { id: 1, dueAt: new Date(0) }, messageNo: 0, recipientId: 1, attempt: 2 },
        messageId: 'msg_1',
      }),
    );
    const [first, again] = harness.receiver.received.map(({ headers }) => headers);
    expect(first?.['webhook-signature']).toMatch(/^v1,/);
    expect([first?.['webhook-id'], again?.['webhook-id']]).toEqual(['msg_1', 'msg_1']);
    expect([first?.['webhook-timestamp'], again?.['webhook-timestamp']]).toEqual([
      '1772600767',
      '1772604367',
    ]);
    expect(harness.ledger.rows.get('run-1-1-2')?.start).toMatchObject({ messageId: 'msg_1' });
    harness.addRecipient(1, '/status/200', { signingSecretsSealed: secret });
    const third = dispatch(1, {
      delivery: { run: { id: 1, dueAt: new Date(0) }, messageNo: 0, recipientId: 1, attempt: 3 },
    });
    expect(await send.toRecipient(third)).toMatchObject({
      state: 'Failed',
      reason: 'DestinationUnreadable',
    });
  });

  test('is attempted once, even if it is requested again', async () => {
    harness.addRecipient(1, '/status/500');
    const send = harness.openSend();
    expect(await send.toRecipient(dispatch(1))).toMatchObject({ state: 'Failed', reason: 'Http5xx' });
    expect(await send.toRecipient(dispatch(1))).toMatchObject({
      state: 'Skipped',
      reason: 'AlreadyAttempted',
    });
    expect(harness.receiver.received).toHaveLength(1);
    expect(harness.ledger.rows.get('run-1-1-1')?.end).toMatchObject({ state: 'Failed' });
  });

  test('is not sent again if a crash left it as Sending', async () => {
    harness.addRecipient(1, '/status/200');
    await harness.ledger.begin(dispatch(1));
    expect(await harness.openSend().toRecipient(dispatch(1))).toMatchObject({
      state: 'Skipped',
      reason: 'AlreadyAttempted',
    });
    expect(harness.receiver.received).toEqual([]);
    expect(harness.ledger.rows.get('run-1-1-1')?.end).toBe('Sending');
  });
});

describe('deliveries to faulty destinations', () => {
  const table = [
    ['/status/500', { state: 'Failed', reason: 'Http5xx', httpClass: '5xx', mayHaveArrived: true }],
    ['/status/404', { state: 'Failed', reason: 'Http4xx', httpClass: '4xx' }],
    ['/redirect', { state: 'Failed', reason: 'Http3xx', httpClass: '3xx' }],
    ['/hang', { state: 'Failed', reason: 'TimedOut', httpClass: null, mayHaveArrived: true }],
    ['/reset', { state: 'Failed', reason: 'ConnectionFailed', httpClass: null, mayHaveArrived: true }],
    ['/half', { state: 'Sent', reason: null, httpClass: '2xx' }],
    ['/slow-body', { state: 'Sent', reason: null, httpClass: '2xx' }],
    ['/large', { state: 'Sent', reason: null, httpClass: '2xx' }],
    ['/status/200', { state: 'Sent', reason: null, httpClass: '2xx' }],
  ] as const;

  test('are attempted once each and do not delay other recipients', async () => {
    for (const [index, [path]] of table.entries()) harness.addRecipient(index, path);
    const results = await harness.openSend().toRecipients(table.map((_row, index) => dispatch(index)));
    expect(results).toMatchObject(table.map(([, expected]) => expected));
    expect(harness.receiver.received.map(({ path }) => path).toSorted()).toEqual(
      table.map(([path]) => path).toSorted(),
    );
    for (const [index, [, expected]] of table.entries())
      expect(harness.ledger.rows.get(`run-1-${index}-1`)?.end).toMatchObject(expected);
    // No text of a destination is in results, ledger or log. Log entries carry the delivery id for correlation.
    const outputs = JSON.stringify([results, [...harness.ledger.rows.values()], harness.logged]);
    expect(outputs).not.toMatch(/secret words|\/hang/);
    expect(outputs).toContain('"correlationId":"run-1-3-1"');
  });

  test('run concurrently up to the limit, and a cancelled one does not wait for its turn', async () => {
    for (let id = 0; id < 8; id += 1) harness.addRecipient(id, '/status/200');
    const gate = Promise.withResolvers<void>();
    harness.receiver.onReceived = () => gate.promise;
    const send = harness.openSend({ concurrency: 3 });
    const results = send.toRecipients(Array.from({ length: 8 }, (_item, id) => dispatch(id)));
    const late = new AbortController();
    const cancelled = send.toRecipient(dispatch(99, { signal: late.signal }));
    await expect.poll(() => harness.receiver.received.length).toBe(3);
    late.abort();
    expect(await cancelled).toMatchObject({ state: 'Failed', reason: 'Cancelled', mayHaveArrived: false });
    // Three are being sent, two are ahead of their turn, and the cancelled one has no row.
    expect([...harness.ledger.rows.keys()].toSorted()).toEqual([
      'run-1-0-1',
      'run-1-1-1',
      'run-1-2-1',
      'run-1-3-1',
      'run-1-4-1',
    ]);
    gate.resolve();
    expect(new Set((await results).map(({ state }) => state))).toEqual(new Set(['Sent']));
    expect(harness.receiver.received).toHaveLength(8);
  });

  test('are Unknown if the service stops them while they are in progress', async () => {
    harness.addRecipient(1, '/hang');
    const stop = new AbortController();
    harness.receiver.onReceived = () => stop.abort();
    expect(await harness.openSend().toRecipient(dispatch(1, { signal: stop.signal }))).toMatchObject({
      state: 'Unknown',
      reason: 'Interrupted',
      mayHaveArrived: true,
    });
    expect(harness.ledger.rows.get('run-1-1-1')?.end).toMatchObject({ state: 'Unknown' });
  });
});

describe('the policy at the time of sending', () => {
  test('prevents a connection to a network that is not allowed', async () => {
    harness.addRecipient(1, '/status/200');
    const before = harness.receiver.connections();
    const closed = {
      ...settings,
      allowedPrivateNetworks: { ...settings.allowedPrivateNetworks, Webhook: [] },
    };
    expect(await harness.openSend({ settings: closed }).toRecipient(dispatch(1))).toMatchObject({
      state: 'Failed',
      reason: 'ConnectionRefused',
      mayHaveArrived: false,
    });
    expect(harness.receiver.connections()).toBe(before);
  });

  test('refuses a disabled channel, and headers and hosts that are no longer allowed', async () => {
    const cases: [Partial<SendSettings>, RowChanges, string][] = [
      [{ disabledTypes: new Set(['Webhook']) }, {}, 'ChannelDisabled'],
      [{}, { definition: { customHeaders: { 'X-Team': 'v' } } }, 'DestinationNotAllowed'],
      [
        { allowedHeaders: ['Host'] },
        { definition: { customHeaders: { Host: 'v' } } },
        'DestinationNotAllowed',
      ],
      [
        { allowedHosts: { ...settings.allowedHosts, Webhook: ['only.example'] } },
        {},
        'DestinationNotAllowed',
      ],
      [{}, { definition: { type: 'ChatBlocks' } }, 'DestinationNotAllowed'],
    ];
    for (const [changes, row, reason] of cases) {
      harness.addRecipient(1, '/status/200', row);
      const send = harness.openSend({ settings: { ...settings, ...changes }, ledger: createMemoryLedger() });
      expect(await send.toRecipient(dispatch(1))).toMatchObject({
        state: 'Failed',
        reason,
        mayHaveArrived: false,
      });
    }
    expect(harness.receiver.received).toEqual([]);
  });
});

describe('an email delivery', () => {
  const definition = { type: 'Email', destination: 'ada@example.com' } as const;

  test('is passed to the adapter of the host under the same checks', async () => {
    const sent: Email[] = [];
    const email = async (mail: Email) => void sent.push(mail);
    const approvedHash = approvedHashOf(keyRing, { ...definition, customHeaders: {} });
    harness.addRecipient(1, '', { definition, approval: governed({ approvedHash }) });
    harness.addRecipient(2, '', { definition, approval: governed({ state: 'AwaitingApproval' }) });
    const results = await harness.openSend({ email }).toRecipients([dispatch(1), dispatch(2)]);
    expect(results).toMatchObject([{ state: 'Sent', httpClass: null }, { state: 'Skipped' }]);
    expect(sent).toMatchObject([{ to: 'ada@example.com', subject: '[Svc] Shop - Late orders' }]);
  });

  test('requires an adapter and an allowed domain, and ends with the time limit of the delivery', async () => {
    harness.addRecipient(1, '', { definition });
    expect(await harness.openSend().toRecipient(dispatch(1))).toMatchObject({ reason: 'NoEmailAdapter' });
    const allowedHosts = { ...settings.allowedHosts, Email: ['corp.example'] };
    const email = () => new Promise<never>(() => undefined);
    const limited = harness.openSend({
      email,
      settings: { ...settings, allowedHosts },
      ledger: createMemoryLedger(),
    });
    expect(await limited.toRecipient(dispatch(1))).toMatchObject({ reason: 'DestinationNotAllowed' });
    const quick = { ...settings, deliveryTimeoutMs: 30 };
    const hanging = harness.openSend({ email, settings: quick, ledger: createMemoryLedger() });
    expect(await hanging.toRecipient(dispatch(1))).toMatchObject({
      reason: 'TimedOut',
      mayHaveArrived: true,
    });
  });
});

describe('a delivery with an unreliable database', () => {
  const away = () => Promise.reject(new Error('the database is away'));

  test('is not sent if its attempt cannot be written', async () => {
    harness.addRecipient(1, '/status/200');
    harness.addRecipient(2, '/status/200');
    let calls = 0;
    const begin: Ledger['begin'] = (start) => (calls++ === 0 ? away() : harness.ledger.begin(start));
    const results = await harness
      .openSend({ ledger: createMemoryLedger({ begin }) })
      .toRecipients([dispatch(1), dispatch(2)]);
    expect(results).toMatchObject([
      { state: 'Failed', reason: 'DeliveryFailed', mayHaveArrived: false },
      { state: 'Sent' },
    ]);
    expect(harness.receiver.received).toHaveLength(1);
  });

  test('has its outcome written later after a failure, and is not sent twice', async () => {
    harness.addRecipient(1, '/status/200');
    let calls = 0;
    const finish: Ledger['finish'] = (start, end) =>
      calls++ === 0 ? away() : harness.ledger.finish(start, end);
    const result = await harness
      .openSend({ ledger: createMemoryLedger({ finish }) })
      .toRecipient(dispatch(1));
    expect(result).toMatchObject({ state: 'Sent' });
    expect(harness.ledger.rows.get('run-1-1-1')?.end).toMatchObject({ state: 'Sent' });
    expect(harness.receiver.received).toHaveLength(1);
  });

  test('reports a missing recipient if the ledger does', async () => {
    const gone = createMemoryLedger({ begin: async () => 'RecipientMissing' });
    expect(await harness.openSend({ ledger: gone }).toRecipient(dispatch(1))).toMatchObject({
      reason: 'RecipientMissing',
    });
  });

  test('fails alone if its recipient cannot be read', async () => {
    harness.addRecipient(2, '/status/200');
    const reading = { readCurrent: (id: number) => (id === 1 ? away() : harness.recipients.readCurrent(id)) };
    const results = await harness.openSend({ recipients: reading }).toRecipients([dispatch(1), dispatch(2)]);
    expect(results).toMatchObject([{ state: 'Failed', reason: 'DeliveryFailed' }, { state: 'Sent' }]);
  });
});

test('the class of a temporary refusal is visible only to readers of technical details', () => {
  expect(textOfReason('RefusedForNow')).toBe('The delivery failed.');
  expect(remedyOfReason('RefusedForNow')).toBeNull();
  const technical = { showsTechnical: true };
  expect(textOfReason('RefusedForNow', technical)).toMatch(/refused the message for now/);
  expect(remedyOfReason('RefusedForNow', technical)).toMatch(/Send again later/);
  expect(textOfReason('Http5xx', technical)).toBe('The destination answered HTTP 5xx.');
});

test('history shows recorded reasons, and a generic reason for any other text', () => {
  expect(textOfReason('Http5xx')).toBe('The destination answered HTTP 5xx.');
  expect(textOfReason('AwaitingApproval')).toBe('The recipient awaits approval.');
  expect(textOfReason('Interrupted')).toMatch(/may have arrived/);
  for (const text of ['', 'connect ECONNREFUSED 10.0.0.1', 'toString', '__proto__'])
    expect(textOfReason(text)).toBe('The delivery failed.');
});
