import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { describe, expect, test } from 'vitest';
import type { Email } from '../channel.ts';
import type { Message } from '../message/message.ts';
import { answered, testContext } from '../testing/context.ts';
import { hostileTexts } from '../testing/hostile-texts.ts';
import { bareMessage, testMessage } from '../testing/message.ts';
import { emailChannel, emailOf } from './index.ts';

type Node = DefaultTreeAdapterTypes.Node;

/** Returns the elements and attribute names of a document, without text. */
function skeletonOf(node: Node): string {
  const children = 'childNodes' in node ? node.childNodes.filter((child) => child.nodeName !== '#text') : [];
  const attributes = 'attrs' in node ? node.attrs.map((attribute) => attribute.name).join() : '';
  return `${node.nodeName}(${attributes})[${children.map(skeletonOf).join('')}]`;
}

function textsOf(node: Node): string[] {
  if ('value' in node) return [node.value];
  return 'childNodes' in node ? node.childNodes.flatMap(textsOf) : [];
}

function hrefsOf(node: Node): string[] {
  const own = 'attrs' in node ? node.attrs.filter((attribute) => attribute.name === 'href') : [];
  const below = 'childNodes' in node ? node.childNodes.flatMap(hrefsOf) : [];
  return [...own.map((attribute) => attribute.value), ...below];
}

const messageWith = (text: string): Partial<Message> => ({
  subscriptionName: text,
  dataSourceName: text,
  queryText: text,
  columns: [text, 'b'],
  rows: [
    [text, { nested: text }],
    [1, text],
  ],
});
const to = 'ada@example.com';
const delivery = { message: testMessage(), destination: to };

describe('the HTML part', () => {
  test('shows the result with a table and the link', () => {
    const document = parse(emailOf(testMessage(), to).html);
    const texts = textsOf(document).join('|');
    expect(texts).toContain('[Svc] Shop - Late orders');
    expect(texts).toContain('Showing 2 of 120 total records.');
    expect(texts).toContain('select id, name, total from orders');
    expect(texts).toContain('|id|name|total|1|Ada|10.5|2|Bob|');
    expect(hrefsOf(document)).toEqual(['https://svc.example.com/svc/notifications/9']);
  });

  test('has no query, table or link when the message has none', () => {
    const document = parse(emailOf(bareMessage(), to).html);
    expect(skeletonOf(document)).not.toMatch(/pre\(|table\(|[^e]a\(href/);
    expect(textsOf(document).join()).toContain('Showing 0 of 0 total records.');
  });

  test('has the same element structure for all values and shows every value as text', () => {
    const plain = skeletonOf(parse(emailOf(testMessage(messageWith('plain')), to).html));
    for (const text of hostileTexts) {
      const document = parse(emailOf(testMessage(messageWith(text)), to).html);
      expect([text.slice(0, 40), skeletonOf(document)]).toEqual([text.slice(0, 40), plain]);
      expect(hrefsOf(document)).toEqual(['https://svc.example.com/svc/notifications/9']);
    }
    const scripts = textsOf(parse(emailOf(testMessage(messageWith('<script>alert(1)</script>')), to).html));
    expect(scripts.filter((text) => text === '<script>alert(1)</script>').length).toBeGreaterThan(3);
  });

  test('omits links with an unsafe scheme and escapes quotes in a link', () => {
    for (const notificationUrl of ['javascript:alert(1)', 'data:text/html,x', 'nonsense'])
      expect(hrefsOf(parse(emailOf(testMessage({ notificationUrl }), to).html))).toEqual([]);
    const hostile = testMessage({ notificationUrl: 'https://svc.example.com/"onclick="alert(1)' });
    expect(skeletonOf(parse(emailOf(hostile, to).html))).toBe(
      skeletonOf(parse(emailOf(testMessage(), to).html)),
    );
  });

  test('shows 20 rows and states the number of shown rows', () => {
    const rows = Array.from({ length: 40 }, (_row, index) => [`row ${index}`]);
    const html = emailOf(testMessage({ columns: ['n'], rows, totalRows: 40 }), to).html;
    expect(html).toContain('row 19<');
    expect(html).not.toContain('row 20<');
    expect(html).toContain('Showing 20 of 40 total records.');
  });
});

describe('subject and text part', () => {
  test('the subject is a single line for every hostile name', () => {
    for (const text of hostileTexts) {
      const { subject } = emailOf(testMessage(messageWith(text)), to);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
      expect(subject).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
      expect(subject.startsWith('[Svc] ')).toBe(true);
      expect(subject.length).toBeLessThanOrEqual(500);
      expect(subject.isWellFormed()).toBe(true);
    }
  });

  test('the text part has the same content as the HTML part', () => {
    expect(emailOf(testMessage(), to).text).toBe(
      [
        '[Svc] Shop - Late orders',
        'Showing 2 of 120 total records.',
        'select id, name, total from orders',
        'id | name | total\n---+------+------\n1  | Ada  | 10.5\n2  | Bob  |',
        'View Full Results: https://svc.example.com/svc/notifications/9',
      ].join('\n\n'),
    );
  });
});

describe('delivery', () => {
  test('passes address, subject, both parts and the file to the adapter', async () => {
    const sent: Email[] = [];
    const data = Buffer.from('a,b\r\n');
    const attachment = { name: 'results.csv', contentType: 'text/csv', rowCount: 1, read: async () => data };
    const context = testContext(() => answered(200), {
      email: async (email) => {
        sent.push(email);
        return 'message-1';
      },
    });
    const outcome = await emailChannel.deliver(
      { ...delivery, message: testMessage({ attachment }) },
      context,
    );
    expect(outcome).toMatchObject({ outcome: 'Sent', messageId: 'message-1', notes: [] });
    const file = { Name: 'results.csv', ContentType: 'text/csv', Data: data };
    expect(sent).toEqual([{ ...emailOf(testMessage({ attachment }), to), attachment: file }]);
    expect(sent[0]?.html).toContain('The attached file holds 1 of 120 records.');
    expect(context.requests).toEqual([]);
  });

  test('reports an error of the adapter as a generic failure and writes the error only to the log', async () => {
    const context = testContext(() => answered(200), {
      email: async () => Promise.reject(new Error('550 no such user')),
    });
    const outcome = await emailChannel.deliver(delivery, context);
    expect(outcome).toMatchObject({ outcome: 'Failed', reason: 'DeliveryFailed', mayHaveArrived: true });
    expect(JSON.stringify(outcome)).not.toContain('550');
    expect(context.warnings).toHaveLength(1);
  });

  test('reports a temporary refusal of a mail server with its own reason, and excludes that the email arrived', async () => {
    for (const [responseCode, reason] of [
      [421, 'RefusedForNow'],
      [451, 'RefusedForNow'],
      [550, 'DeliveryFailed'],
    ] as const) {
      const error = Object.assign(new Error('451 4.7.1 try later'), { responseCode });
      const context = testContext(() => answered(200), { email: async () => Promise.reject(error) });
      const outcome = await emailChannel.deliver(delivery, context);
      expect(outcome).toMatchObject({ reason, mayHaveArrived: reason === 'DeliveryFailed' });
      expect(JSON.stringify(outcome)).not.toContain('try later');
    }
  });

  test('ends at the abort signal when the adapter never returns', async () => {
    const email = () => new Promise<never>(() => undefined);
    const late = testContext(() => answered(200), { email, signal: AbortSignal.timeout(20) });
    expect(await emailChannel.deliver(delivery, late)).toMatchObject({
      reason: 'TimedOut',
      mayHaveArrived: true,
    });
    const cancelled = testContext(() => answered(200), { email, signal: AbortSignal.abort() });
    expect(await emailChannel.deliver(delivery, cancelled)).toMatchObject({
      reason: 'Cancelled',
      mayHaveArrived: false,
    });
  });

  test('sends nothing without an adapter or if the destination is not a bare address', async () => {
    expect(
      await emailChannel.deliver(
        delivery,
        testContext(() => answered(200)),
      ),
    ).toMatchObject({
      reason: 'NoEmailAdapter',
      mayHaveArrived: false,
    });
    const sent: Email[] = [];
    const context = testContext(() => answered(200), { email: async (email) => sent.push(email) });
    for (const destination of ['Ada <ada@example.com>', 'a@b.c\r\nBcc: d@e.f', 'a@b.c,d@e.f'])
      expect(await emailChannel.deliver({ ...delivery, destination }, context)).toMatchObject({
        reason: 'DestinationNotAllowed',
      });
    expect(sent).toEqual([]);
  });
});
