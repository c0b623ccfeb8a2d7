import { describe, expect, test } from 'vitest';
import type { ChannelAnswer, ChannelRequest } from '../channel.ts';
import { hostileTexts } from '../testing/hostile-texts.ts';
import { bareMessage, testMessage } from '../testing/message.ts';
import { webhookBody, webhookChannel } from './index.ts';
import { createSigningSecret, signatureHeaders } from './signature.ts';

const accepted: ChannelAnswer = {
  ok: true,
  status: 200,
  body: new Uint8Array(),
  bytesSent: 10,
  durationMs: 3,
};

async function deliver(delivery: object, answer: ChannelAnswer = accepted) {
  const requests: ChannelRequest[] = [];
  const outcome = await webhookChannel.deliver(
    { message: testMessage(), destination: 'https://hooks.example.com/x', ...delivery },
    {
      request: async (request) => {
        requests.push(request);
        return answer;
      },
      signal: new AbortController().signal,
      warn: () => undefined,
    },
  );
  return { requests, outcome };
}

describe('the default body', () => {
  test('has the specified fields and values', () => {
    expect(JSON.parse(webhookBody(testMessage()))).toEqual({
      timestamp: '2026-03-04T05:06:07.089Z',
      source: 'Svc',
      subscriptionName: 'Late orders',
      subscriptionId: 42,
      dataSourceName: 'Shop',
      sqlQuery: 'select id, name, total from orders',
      totalRecords: 120,
      executionTimeMs: 1234.5,
      previousResultCount: 7,
      timedOut: false,
      records: [
        { id: 1, name: 'Ada', total: 10.5 },
        { id: 2, name: 'Bob', total: null },
      ],
      anomaly: { isAnomaly: true, severity: 'High', explanation: 'Three times the usual count.' },
      notificationUrl: 'https://svc.example.com/svc/notifications/9',
    });
  });

  test('omits fields without a value', () => {
    expect(Object.keys(JSON.parse(webhookBody(bareMessage())) as object)).toEqual([
      'timestamp',
      'source',
      'subscriptionName',
      'dataSourceName',
      'totalRecords',
      'timedOut',
      'records',
    ]);
  });

  test('contains the anomaly only if it flagged the run', () => {
    const anomaly = { isAnomaly: false, severity: 'Low', explanation: 'x' };
    expect(JSON.parse(webhookBody(testMessage({ anomaly })))).not.toHaveProperty('anomaly');
  });

  test('shows at most 20 rows and the full count', () => {
    const rows = Array.from({ length: 30 }, (_row, index) => [index]);
    const body = JSON.parse(webhookBody(testMessage({ columns: ['n'], rows, totalRows: 9_999 }))) as {
      records: unknown[];
    };
    expect(body.records).toHaveLength(20);
    expect(body).toMatchObject({ totalRecords: 9_999 });
  });

  test('represents every kind of cell in JSON', () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const cells = [
      1n,
      2n ** 70n,
      Number.NaN,
      new Date('2026-01-02T03:04:05Z'),
      new Date(Number.NaN),
      Buffer.from('hi'),
      undefined,
      { a: [1n] },
      circular,
      '\ud800',
      Symbol('x'),
    ];
    const columns = cells.map((_cell, index) => `c${index}`);
    const body = JSON.parse(webhookBody(testMessage({ columns, rows: [cells] }))) as {
      records: Record<string, unknown>[];
    };
    expect(body.records[0]).toMatchObject({
      c0: 1,
      c1: '1180591620717411303424',
      c2: 'NaN',
      c3: '2026-01-02T03:04:05.000Z',
      c4: null,
      c5: 'aGk=',
      c6: null,
      c7: { a: [1] },
    });
  });

  test('gives repeated column names a suffix and accepts any column name', () => {
    const message = testMessage({ columns: ['a', 'a', 'a_2', '__proto__', ''], rows: [[1, 2, 3, 4, 5]] });
    const body = JSON.parse(webhookBody(message)) as { records: object[] };
    expect(Object.entries(body.records[0] ?? {})).toEqual([
      ['a', 1],
      ['a_3', 2],
      ['a_2', 3],
      ['__proto__', 4],
      ['', 5],
    ]);
  });

  test('is valid JSON that returns every hostile text unchanged', () => {
    for (const text of hostileTexts) {
      const message = testMessage({
        subscriptionName: text,
        dataSourceName: text,
        queryText: text,
        columns: [text],
        rows: [[text]],
      });
      const body = JSON.parse(webhookBody(message)) as Record<string, unknown>;
      expect(body).toMatchObject({ source: 'Svc', subscriptionName: text, sqlQuery: text });
      expect(Object.keys(body)).toHaveLength(13);
      expect(body['records']).toEqual([Object.fromEntries([[text, text]])]);
    }
  });
});

describe('the webhook request', () => {
  test('is a JSON POST with the custom headers', async () => {
    const { requests, outcome } = await deliver({ customHeaders: { Authorization: 'Bearer t' } });
    expect(requests).toMatchObject([
      {
        url: 'https://hooks.example.com/x',
        method: 'POST',
        headers: { Authorization: 'Bearer t', 'content-type': 'application/json' },
      },
    ]);
    expect(requests[0]?.keepAnswer).toBeUndefined();
    expect(outcome).toEqual({ outcome: 'Sent', notes: [], httpStatus: 200, bytesSent: 10, durationMs: 3 });
  });

  test('is signed if the recipient has a signing secret, with an unchanged body', async () => {
    const secret = createSigningSecret((count) => Buffer.alloc(count, 7));
    const signing = { messageId: 'msg_1', timestamp: new Date(1_700_000_000_000), secrets: [secret] };
    const { requests } = await deliver({ signing });
    expect(requests[0]?.body).toBe(webhookBody(testMessage()));
    expect(requests[0]?.headers).toMatchObject(signatureHeaders(signing, webhookBody(testMessage())));
    expect(Object.keys((await deliver({})).requests[0]?.headers ?? {})).toEqual([
      'content-type',
      'user-agent',
    ]);
  });

  test('contains the output of a template unchanged, even if it is not JSON', async () => {
    const { requests, outcome } = await deliver({ bodyTemplate: '{"text": {{SubscriptionName}}}' });
    expect(requests[0]?.body).toBe('{"text": Late orders}');
    expect(outcome).toMatchObject({ outcome: 'Sent', notes: [] });
  });

  test('contains the default body if the template cannot be processed, and the run has a note', async () => {
    const { requests, outcome } = await deliver({ bodyTemplate: 'x'.repeat(70_000) });
    expect(requests[0]?.body).toBe(webhookBody(testMessage()));
    expect(outcome).toMatchObject({ outcome: 'Sent', notes: ['TemplateNotUsed'] });
  });

  test('has the same body as the preview', async () => {
    for (const bodyTemplate of [undefined, '{{Source}}']) {
      const delivery = bodyTemplate ? { bodyTemplate } : {};
      const { requests } = await deliver(delivery);
      expect(webhookChannel.preview({ message: testMessage(), ...delivery }).body).toBe(requests[0]?.body);
    }
  });
});

describe('the outcome of a webhook delivery', () => {
  for (const [status, reason] of [
    [301, 'Http3xx'],
    [404, 'Http4xx'],
    [410, 'HttpGone'],
    [500, 'Http5xx'],
    [999, 'DeliveryFailed'],
  ] as const)
    test(`HTTP ${status} is reported as a failure with only its class`, async () => {
      const { outcome } = await deliver({}, { ...accepted, status });
      expect(outcome).toMatchObject({ outcome: 'Failed', reason, httpStatus: status, mayHaveArrived: true });
    });

  test('a 2xx status counts as sent', async () => {
    for (const status of [200, 201, 202, 204])
      expect((await deliver({}, { ...accepted, status })).outcome).toMatchObject({ outcome: 'Sent' });
  });

  test('a missing response is a failure with its reason', async () => {
    const { outcome } = await deliver(
      {},
      { ok: false, reason: 'TimedOut', mayHaveArrived: true, durationMs: 5 },
    );
    expect(outcome).toEqual({
      outcome: 'Failed',
      reason: 'TimedOut',
      mayHaveArrived: true,
      bytesSent: 0,
      durationMs: 5,
    });
  });
});

describe('records in a webhook body', () => {
  const message = testMessage({
    columns: ['n', 'amount', 'doc', 'code'],
    columnKinds: ['exactNumber', 'exactNumber', 'json', 'plain'],
    rows: [
      ['5', '1.10', '{"big": 9007199254740993, "rate": 1.10, "__proto__": [1]}', '007'],
      ['9007199254740993', 'NaN', 'no JSON', '1e3'],
      [null, null, null, null],
    ],
  });
  const recordsIn = (body: string) => body.slice(body.indexOf('"records":'), body.indexOf(',"anomaly"'));

  test('contain JSON columns as JSON with all digits, and large numbers as text', () => {
    expect(recordsIn(webhookBody(message))).toBe(
      `"records":[{"n":"5","amount":"1.10","doc":{"big":9007199254740993,"rate":1.10,"__proto__":[1]},"code":"007"},${''}{"n":"9007199254740993","amount":"NaN","doc":"no JSON","code":"1e3"},{"n":null,"amount":null,"doc":null,"code":null}]`,
    );
  });

  test('contain numbers with all digits for a recipient that requests numbers, and codes remain text', async () => {
    const { requests } = await deliver({ message, numbers: 'Number' });
    expect(recordsIn(requests[0]?.body ?? '')).toBe(
      `"records":[{"n":5,"amount":1.10,"doc":{"big":9007199254740993,"rate":1.10,"__proto__":[1]},"code":"007"},${''}{"n":9007199254740993,"amount":"NaN","doc":"no JSON","code":"1e3"},{"n":null,"amount":null,"doc":null,"code":null}]`,
    );
  });

  test('have the same form in a template', async () => {
    const { requests } = await deliver({ message, numbers: 'Number', bodyTemplate: '{{Records_Pretty}}' });
    expect(requests[0]?.body).toContain('"big": 9007199254740993,\n      "rate": 1.10');
  });

  test('do not affect the types of the other members, for any form of numbers', () => {
    for (const numbers of ['Text', 'Number'] as const)
      expect(JSON.parse(webhookBody(message, numbers))).toMatchObject({
        subscriptionId: 42,
        totalRecords: 120,
        executionTimeMs: 1234.5,
        previousResultCount: 7,
      });
  });

  test('contain JSON as text if it is nested too deeply', () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    const body = JSON.parse(
      webhookBody(testMessage({ columns: ['d'], columnKinds: ['json'], rows: [[deep]] })),
    );
    expect(body.records).toEqual([{ d: deep }]);
  });
});
