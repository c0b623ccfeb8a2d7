import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { hostileTexts } from '../testing/hostile-texts.ts';
import { testMessage } from '../testing/message.ts';
import { webhookBody } from './index.ts';
import { createSigningSecret, isSigningSecret, signatureHeaders, webhookIdOf } from './signature.ts';

const secret = createSigningSecret(randomBytes);
const signing = { messageId: 'msg_1', timestamp: new Date(), secrets: [secret] };

describe('signatures', () => {
  test('are valid for the reference library with every body, and invalid after a change of body or id', () => {
    const verifier = new Webhook(secret);
    for (const [index, text] of hostileTexts.entries()) {
      const body = webhookBody(testMessage({ subscriptionName: text, queryText: text }));
      const headers = signatureHeaders({ ...signing, messageId: `msg_${index}` }, body);
      expect(() => verifier.verify(body, { ...headers })).not.toThrow();
      expect(() => verifier.verify(`${body} `, { ...headers })).toThrow();
      expect(() => verifier.verify(body, { ...headers, 'webhook-id': 'msg_x' })).toThrow();
    }
  });

  test('are accepted by receivers with the old or the new secret during a rotation', () => {
    const next = createSigningSecret(randomBytes);
    const headers = { ...signatureHeaders({ ...signing, secrets: [next, secret] }, '{}') };
    for (const validSecret of [next, secret])
      expect(() => new Webhook(validSecret).verify('{}', headers)).not.toThrow();
    expect(() => new Webhook(createSigningSecret(randomBytes)).verify('{}', headers)).toThrow();
  });

  test('have a timestamp in seconds and the id of the message', () => {
    const headers = signatureHeaders({ ...signing, timestamp: new Date(1_700_000_000_999) }, '{}');
    expect(headers).toMatchObject({ 'webhook-id': 'msg_1', 'webhook-timestamp': '1700000000' });
  });

  test('are valid for a message of a run whose id contains a dot', () => {
    const headers = signatureHeaders({ ...signing, messageId: webhookIdOf('run-12.3-5') }, '{}');
    expect(headers['webhook-id']).toBe('run-12_3-5');
    expect(() => new Webhook(secret).verify('{}', { ...headers })).not.toThrow();
  });

  test('are refused for an invalid message id or an invalid secret', () => {
    for (const messageId of ['', 'a b', 'a\r\nb', 'a.b'])
      expect(() => signatureHeaders({ ...signing, messageId }, '')).toThrow(TypeError);
    for (const bad of [
      '',
      'whsec_',
      'whsec_short',
      secret.slice(6),
      `${secret} `,
      `whsec_${randomBytes(23).toString('base64')}`,
      `whsec_${randomBytes(65).toString('base64')}`,
    ]) {
      expect(isSigningSecret(bad)).toBe(false);
      expect(() => signatureHeaders({ ...signing, secrets: [bad] }, '')).toThrow(TypeError);
    }
    expect(isSigningSecret(secret)).toBe(true);
  });
});
