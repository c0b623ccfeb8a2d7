import { describe, expect, test } from 'vitest';
import type { Message } from '../message/message.ts';
import { answered, testContext } from '../testing/context.ts';
import { hostileTexts } from '../testing/hostile-texts.ts';
import { bareMessage, testMessage } from '../testing/message.ts';
import { chatBlocksBody, chatBlocksChannel } from './index.ts';

type Text = { type: string; text: string };
type Block = { type: string; text?: Text; elements?: { text: Text; url: string }[] };

const read = (message: Message) => JSON.parse(chatBlocksBody(message)) as { text: string; blocks: Block[] };
const blocksOf = (message: Message) => read(message).blocks;
const isCode = (block: Block) => block.text?.text.startsWith('```') ?? false;
const destination = 'https://hooks.slack.com/services/T/B/x';

describe('the default body', () => {
  test('contains header, anomaly, query, results line, rows and button', () => {
    expect(read(testMessage())).toEqual({
      text: '[Svc] Shop - Late orders',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: '[Svc] Shop - Late orders', emoji: false } },
        {
          type: 'section',
          text: {
            type: 'plain_text',
            text: 'Anomaly detected: High\nThree times the usual count.',
            emoji: false,
          },
        },
        { type: 'section', text: { type: 'mrkdwn', text: '```\nselect id, name, total from orders\n```' } },
        { type: 'section', text: { type: 'mrkdwn', text: 'Showing 2 of 120 total records' } },
        {
          type: 'section',
          text: {
            type: 'mrkdwn',
            text: '```\nid | name | total\n---+------+------\n1  | Ada  | 10.5\n2  | Bob  |\n```',
          },
        },
        {
          type: 'actions',
          elements: [
            {
              type: 'button',
              text: { type: 'plain_text', text: 'View Full Results', emoji: false },
              url: 'https://svc.example.com/svc/notifications/9',
            },
          ],
        },
      ],
    });
  });

  test('omits anomaly, query, rows and button when the message has none', () => {
    expect(blocksOf(bareMessage()).map((block) => block.type)).toEqual(['header', 'section']);
    const anomaly = { isAnomaly: false, severity: 'Low', explanation: 'x' };
    expect(JSON.stringify(blocksOf(testMessage({ anomaly })))).not.toContain('Anomaly');
  });

  test('states that a run timed out', () => {
    expect(JSON.stringify(blocksOf(testMessage({ timedOut: true })))).toContain(
      'The run timed out. Showing 2 of 120 total records',
    );
    const { totalRows: _none, ...unknown } = bareMessage({ timedOut: true });
    expect(JSON.stringify(blocksOf(unknown))).toContain('The run timed out. There are no results');
  });

  test('shows 5 columns, 20 characters per value and at most 20 rows', () => {
    const columns = ['a', 'b', 'c', 'd', 'e', 'f'];
    const rows = Array.from({ length: 30 }, (_row, index) => [
      index,
      'x'.repeat(50),
      '日'.repeat(21),
      null,
      true,
      'hidden',
    ]);
    const blocks = blocksOf(testMessage({ columns, rows, totalRows: 30 }));
    const lines = blocks
      .filter(isCode)
      .slice(1)
      .flatMap((block) => (block.text?.text ?? '').split('\n').filter((line) => line !== '```'));
    expect(lines).toHaveLength(22);
    expect(lines.at(-1)).toBe(`19 | ${'x'.repeat(19)}… | ${'日'.repeat(19)}… |   | true`);
    expect(JSON.stringify(blocks)).toContain('Showing 20 of 30 total records, the first 5 of 6 columns');
    expect(JSON.stringify(blocks)).not.toContain('hidden');
  });
});

describe('hostile values', () => {
  const messageWith = (text: string) =>
    testMessage({
      subscriptionName: text,
      dataSourceName: text,
      queryText: text,
      columns: [text, 'b'],
      rows: [[text, { nested: text }], [text.repeat(2)]],
      anomaly: { isAnomaly: true, severity: text, explanation: text },
    });

  test('stay inside their blocks: they cannot add markup or mentions, or end a code block', () => {
    for (const text of hostileTexts) {
      const { blocks, text: notification } = read(messageWith(text));
      expect(notification).not.toMatch(/[<>]/);
      const outline = blocks.map((block) => (isCode(block) ? 'code' : `${block.type} ${block.text?.type}`));
      expect([text.slice(0, 40), [...new Set(outline)]]).toEqual([
        text.slice(0, 40),
        ['header plain_text', 'section plain_text', 'code', 'section mrkdwn', 'actions undefined'],
      ]);
      for (const block of blocks.filter((candidate) => candidate.text?.type === 'mrkdwn')) {
        const mrkdwn = block.text?.text ?? '';
        expect(mrkdwn.length).toBeLessThanOrEqual(3_000);
        expect(mrkdwn).not.toMatch(/[<>]|&(?!(amp|lt|gt);)/);
        if (isCode(block)) expect(mrkdwn.slice(3, -3)).not.toContain('``');
      }
    }
  });

  test('stay within the vendor’s limits for blocks and characters', () => {
    for (const text of ['&'.repeat(100_000), '`'.repeat(9_000), '👍'.repeat(5_000), 'a'.repeat(9_000)]) {
      const rows = Array.from({ length: 20 }, () => Array.from({ length: 6 }, () => text));
      const { blocks } = read({ ...messageWith(text), columns: Array.from({ length: 6 }, () => text), rows });
      expect(blocks.length).toBeLessThanOrEqual(50);
      for (const block of blocks) {
        const length = block.text?.text.length ?? 0;
        expect(length).toBeLessThanOrEqual(block.type === 'header' ? 150 : 3_000);
      }
    }
  });
});

describe('delivery', () => {
  test('posts the body to the webhook', async () => {
    const context = testContext(() => answered(200, 'ok'));
    const outcome = await chatBlocksChannel.deliver({ message: testMessage(), destination }, context);
    expect(outcome).toMatchObject({ outcome: 'Sent', httpStatus: 200 });
    expect(context.requests).toMatchObject([
      { url: destination, method: 'POST', body: chatBlocksBody(testMessage()) },
    ]);
  });

  test('sends the output of a template that produces a JSON object', async () => {
    const context = testContext(() => answered(200));
    const bodyTemplate = '{"text":"{{TotalRecords}}"}';
    const outcome = await chatBlocksChannel.deliver(
      { message: testMessage(), destination, bodyTemplate },
      context,
    );
    expect(context.requests[0]?.body).toBe('{"text":"120"}');
    expect(outcome).toMatchObject({ notes: [] });
  });

  test('sends the default body when the template does not produce a JSON object, and notes this in the run', async () => {
    const message = testMessage({ subscriptionName: 'a "quote"' });
    for (const bodyTemplate of [
      '{"text":"{{SubscriptionName}}"}',
      '"text"',
      '[]',
      'x'.repeat(70_000),
      '{{Foo}}',
    ]) {
      const context = testContext(() => answered(200));
      const outcome = await chatBlocksChannel.deliver({ message, destination, bodyTemplate }, context);
      expect(context.requests[0]?.body).toBe(chatBlocksBody(message));
      expect(outcome).toMatchObject({ outcome: 'Sent', notes: ['TemplateNotUsed'] });
    }
  });

  test('reports a refused message as a failure, without the text of the response', async () => {
    const outcome = await chatBlocksChannel.deliver(
      { message: testMessage(), destination },
      testContext(() => answered(403, 'invalid_token')),
    );
    expect(outcome).toMatchObject({ outcome: 'Failed', reason: 'Http4xx' });
    expect(JSON.stringify(outcome)).not.toContain('invalid_token');
  });
});
