import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: RunFixture;
beforeAll(async () => {
  fixture = await startRunFixture({ svc: { email: async () => undefined } });
});
afterAll(() => fixture.close());

const at = (id: number, rest: string) => `/svc/api/recipients/${id}/${rest}`;
let count = 0;

/** Creates a webhook with a subscription. `send` runs it and returns the received request. */
async function webhook() {
  count += 1;
  const path = `/signed/${count}`;
  const id = await fixture.addRecipient(path);
  const queryId = await fixture.addQuery('select id from orders');
  const subscription = await fixture.addSubscription({
    queryId,
    recipientIds: [id],
    notificationTrigger: 'Always',
  });
  const send = async () => {
    await fixture.runNow(subscription.id);
    const request = fixture.sink.received.filter((received) => received.path === path).at(-1);
    return { text: request?.text ?? '', headers: request?.headers as Record<string, string> };
  };
  const signing = async () => (await fixture.root.get(at(id, 'delivery-settings'))).body.signing;
  const newSecret = async (): Promise<string> =>
    (await fixture.root.post(at(id, 'signing-secrets'))).body.secret;
  return { id, send, signing, newSecret };
}
const accepts = (secret: string, { text, headers }: { text: string; headers: Record<string, string> }) => {
  try {
    new Webhook(secret).verify(text, headers);
    return true;
  } catch {
    return false;
  }
};

describe('a signed webhook', () => {
  test('is off by default, and off again after it is switched off', async () => {
    const { id, send, signing, newSecret } = await webhook();
    expect(await signing()).toBe('Off');
    expect((await send()).headers).not.toHaveProperty('webhook-signature');
    await newSecret();
    expect(await signing()).toBe('On');
    expect((await send()).headers).toHaveProperty('webhook-signature');
    expect((await fixture.root.delete(at(id, 'signing-secrets'))).status).toBe(204);
    expect(await signing()).toBe('Off');
    expect((await send()).headers).not.toHaveProperty('webhook-signature');
  });

  test('has two signatures while its secret is being changed', async () => {
    const { id, send, signing, newSecret } = await webhook();
    const first = await newSecret();
    const second = await newSecret();
    expect(await signing()).toBe('Rotating');
    const both = await send();
    expect([accepts(first, both), accepts(second, both)]).toEqual([true, true]);
    expect((await fixture.root.delete(at(id, 'signing-secrets/previous'))).status).toBe(204);
    expect(await signing()).toBe('On');
    const one = await send();
    expect([accepts(first, one), accepts(second, one)]).toEqual([false, true]);
    expect(accepts(second, { ...one, text: `${one.text} ` })).toBe(false);
  });

  test('stores its secret encrypted, and shows it in no response and no log line', async () => {
    const { id, newSecret } = await webhook();
    const secret = await newSecret();
    const { rows } = await fixture.svc.database.query(
      'select signing_secrets_sealed as sealed from svc.recipients where id = $1',
      [id],
    );
    expect(rows[0].sealed).toMatch(/^v1\./);
    const shown = await Promise.all([
      fixture.root.get(at(id, 'delivery-settings')),
      fixture.root.get(`/svc/api/recipients/${id}`),
      fixture.root.get('/svc/api/recipients?pageSize=200'),
    ]);
    for (const { text } of shown) expect(text).not.toContain(secret);
    expect(JSON.stringify(fixture.svc.log)).not.toContain(secret);
  });

  test('with an unreadable stored secret sends nothing until a new secret is created', async () => {
    const { id, signing, newSecret, send } = await webhook();
    await newSecret();
    await fixture.svc.database.query(
      `update svc.recipients set signing_secrets_sealed = signing_secrets_sealed || 'A' where id = $1`,
      [id],
    );
    expect(await signing()).toBe('Unreadable');
    expect((await send()).text).toBe('');
    const secret = await newSecret();
    expect(accepts(secret, await send())).toBe(true);
  });
});

describe('refusals', () => {
  test('an Editor gets 403 for a change of the secret or the retry policy of a recipient', async () => {
    const { id } = await webhook();
    const editor = await fixture.person('signing-editor', 'Editor');
    for (const [method, rest] of [
      ['POST', 'signing-secrets'],
      ['DELETE', 'signing-secrets'],
      ['DELETE', 'signing-secrets/previous'],
    ] as const)
      expect((await editor.send(method, at(id, rest))).status).toBe(403);
    expect((await editor.put(at(id, 'retry-policy'), { retriesMax: 1, delaySeconds: 60 })).status).toBe(403);
  });

  test('a recipient that does not exist gets 404', async () => {
    expect((await fixture.root.get(at(999_999, 'delivery-settings'))).status).toBe(404);
    expect((await fixture.root.post(at(999_999, 'signing-secrets'))).status).toBe(404);
  });

  test('a signing secret for a recipient that is not a webhook gets 409', async () => {
    const { id } = await fixture.make('/svc/api/recipients', {
      notificationType: 'Email',
      name: 'No webhook',
      destination: 'anna@example.org',
    });
    expect((await fixture.root.post(at(id, 'signing-secrets'))).body).toMatchObject({
      status: 409,
      code: 'not-a-webhook',
    });
  });
});

describe('the number format', () => {
  const records = ({ text }: { readonly text: string }) =>
    text.slice(text.indexOf('"records":')).split(']')[0];

  test('is text for a new recipient, and numbers with all digits if the recipient has that format', async () => {
    count += 1;
    const path = `/numbers/${count}`;
    const id = await fixture.addRecipient(path);
    const queryId = await fixture.addQuery(
      'select count(*) as n, 9007199254740993 as big, 1.10 as rate, \'{"a": 1.10}\'::jsonb as doc from orders',
    );
    const subscription = await fixture.addSubscription({
      queryId,
      recipientIds: [id],
      notificationTrigger: 'Always',
    });
    const send = async () => {
      await fixture.runNow(subscription.id);
      return records(
        fixture.sink.received.filter((received) => received.path === path).at(-1) ?? { text: '' },
      );
    };
    expect((await fixture.root.get(at(id, 'delivery-settings'))).body.numbers).toBe('Text');
    expect(await send()).toMatch(/"n":"\d+","big":"9007199254740993","rate":"1.10","doc":\{"a":1.10\}/);
    const set = await fixture.root.put(at(id, 'number-format'), { numbers: 'Number' });
    expect([set.status, set.body.numbers]).toEqual([200, 'Number']);
    expect(await send()).toMatch(/"n":\d+,"big":9007199254740993,"rate":1.10,"doc":\{"a":1.10\}/);
  });

  test('refuses an unknown format with 400, and an unknown recipient with 404', async () => {
    const id = await fixture.addRecipient('/numbers/refused');
    expect((await fixture.root.put(at(id, 'number-format'), { numbers: 'Float' })).status).toBe(400);
    expect((await fixture.root.put(at(999_999, 'number-format'), { numbers: 'Text' })).status).toBe(404);
  });
});
