import { describe, expect, test } from 'vitest';
import type { ChannelAnswer, ChannelRequest } from '../channel.ts';
import { answered, testContext } from '../testing/context.ts';
import { hostileTexts } from '../testing/hostile-texts.ts';
import { bareMessage, testMessage } from '../testing/message.ts';
import { issueDocument, issueSummary } from './document.ts';
import { issueTrackerChannel } from './index.ts';

const destination = 'acme;OPS;bot@example.com;t0ken';

/** Creates a fake tracker that stores issues, as its public API documents it. */
function createTracker() {
  const issues: { key: string; summary: string; comments: unknown[]; fields: Record<string, unknown> }[] = [];
  const refusedFields = new Set<string>();
  const answer = ({ url, body }: ChannelRequest): ChannelAnswer => {
    const { pathname } = new URL(url);
    const sent = JSON.parse(body ?? '') as { fields: Record<string, unknown>; body: unknown };
    if (pathname.endsWith('/search/jql')) {
      const matches = issues.toReversed().map(({ key, summary }) => ({ key, fields: { summary } }));
      return answered(200, JSON.stringify({ issues: matches }));
    }
    const commented = /\/issue\/([^/]+)\/comment$/.exec(pathname);
    if (commented) {
      const issue = issues.find(({ key }) => key === commented[1]);
      issue?.comments.push(sent.body);
      return answered(issue ? 201 : 404, '{}');
    }
    const refused = Object.keys(sent.fields).find((name) => refusedFields.has(name));
    if (refused) return answered(400, JSON.stringify({ errors: { [refused]: 'cannot be set' } }));
    const key = `OPS-${issues.length + 1}`;
    issues.push({ key, summary: String(sent.fields['summary']).trim(), comments: [], fields: sent.fields });
    return answered(201, JSON.stringify({ id: '1', key }));
  };
  return { issues, refusedFields, answer };
}

const deliver = (context: ReturnType<typeof testContext>, changes = {}, to = destination) =>
  issueTrackerChannel.deliver({ message: testMessage(changes), destination: to }, context);

describe('the issue', () => {
  test('is a Task with summary, label, priority and a description in the document format', async () => {
    const tracker = createTracker();
    const context = testContext(tracker.answer);
    expect(await deliver(context)).toMatchObject({ outcome: 'Sent', httpStatus: 201, messageId: 'OPS-1' });
    expect(tracker.issues[0]?.fields).toEqual({
      project: { key: 'OPS' },
      issuetype: { name: 'Task' },
      summary: 'SVC: Late orders',
      labels: ['Svc'],
      priority: { name: 'Medium' },
      description: issueDocument(testMessage()),
    });
  });

  test('receives the content of its description also as a comment', async () => {
    const tracker = createTracker();
    await deliver(testContext(tracker.answer));
    expect(tracker.issues[0]?.comments).toEqual([issueDocument(testMessage())]);
  });

  test('counts as delivered when that comment fails, and the run has a note', async () => {
    const tracker = createTracker();
    const context = testContext((request) =>
      request.url.endsWith('/comment') ? answered(500) : tracker.answer(request),
    );
    expect(await deliver(context)).toMatchObject({
      outcome: 'Sent',
      messageId: 'OPS-1',
      notes: ['CommentNotAdded'],
    });
  });

  test('describes the total row count, the query if shown, the rows as a table, and the link', () => {
    const text = JSON.stringify(issueDocument(testMessage()));
    expect(text).toContain('Showing 2 of 120 total records.');
    expect(text).toContain('select id, name, total from orders');
    expect(text.match(/"tableRow"/g)).toHaveLength(3);
    expect(text.match(/"tableHeader"/g)).toHaveLength(3);
    expect(text).toContain('"href":"https://svc.example.com/svc/notifications/9"');
    const bare = JSON.stringify(issueDocument(bareMessage()));
    expect(bare).not.toMatch(/codeBlock|table|href/);
  });
});

describe('a later delivery', () => {
  test('adds a comment with the same content to the earlier issue of the same query', async () => {
    const tracker = createTracker();
    const context = testContext(tracker.answer);
    await deliver(context);
    await deliver(context, { subscriptionName: 'Other' });
    expect(await deliver(context)).toMatchObject({ outcome: 'Sent', messageId: 'OPS-1' });
    expect(tracker.issues.map((issue) => issue.comments.length)).toEqual([2, 1]);
    expect(tracker.issues[0]?.comments.at(-1)).toEqual(issueDocument(testMessage()));
  });

  test('creates a new issue when the earlier issue no longer exists', async () => {
    const tracker = createTracker();
    const gone = JSON.stringify({ issues: [{ key: 'OPS-99', fields: { summary: 'SVC: Late orders' } }] });
    const context = testContext((request) =>
      request.url.endsWith('/search/jql') ? answered(200, gone) : tracker.answer(request),
    );
    expect(await deliver(context)).toMatchObject({ outcome: 'Sent', messageId: 'OPS-1' });
  });
});

describe('requests to the issue tracker', () => {
  test('use version 3 of the site’s API and authenticate with account and token', async () => {
    for (const [site, base] of [
      ['acme', 'https://acme.atlassian.net'],
      ['https://acme.atlassian.net/', 'https://acme.atlassian.net'],
      ['https://api.atlassian.com/ex/jira/11-22', 'https://api.atlassian.com/ex/jira/11-22'],
      ['https://tracker.corp.example/ctx', 'https://tracker.corp.example/ctx'],
    ] as const) {
      const context = testContext(createTracker().answer);
      await deliver(context, {}, `${site};OPS;bot@example.com;t0ken`);
      expect(context.requests.map((request) => [request.method, request.url])).toEqual([
        ['POST', `${base}/rest/api/3/search/jql`],
        ['POST', `${base}/rest/api/3/issue`],
        ['POST', `${base}/rest/api/3/issue/OPS-1/comment`],
      ]);
      for (const request of context.requests)
        expect(request.headers['authorization']).toBe(
          `Basic ${Buffer.from('bot@example.com:t0ken').toString('base64')}`,
        );
    }
  });

  test('search by project and label, and by a summary that contains only letters, digits and spaces', async () => {
    const jqlOf = async (subscriptionName: string) => {
      const context = testContext(createTracker().answer);
      await deliver(context, { subscriptionName });
      return (JSON.parse(context.requests[0]?.body ?? '') as { jql: string }).jql;
    };
    expect(await jqlOf('Late orders')).toBe(
      'project = "OPS" AND labels = "Svc" AND summary ~ "\\"Late orders\\"" ORDER BY created DESC',
    );
    for (const text of hostileTexts)
      expect(await jqlOf(text)).toMatch(
        /^project = "OPS" AND labels = "Svc"( AND summary ~ "\\"[\p{L}\p{N} ]{1,200}\\"")? ORDER BY created DESC$/u,
      );
  });
});

describe('failures of the issue tracker', () => {
  test('a failed search creates no issue', async () => {
    for (const [answer, reason] of [
      [answered(401, 'secret words'), 'Http4xx'],
      [answered(503), 'Http5xx'],
      [answered(200, 'not json'), 'DeliveryFailed'],
      [answered(200, '{"issues":1}'), 'DeliveryFailed'],
      [{ ok: false, reason: 'TimedOut', mayHaveArrived: true, durationMs: 1 }, 'TimedOut'],
    ] as const) {
      const context = testContext(() => answer);
      const outcome = await deliver(context);
      expect(outcome).toMatchObject({ outcome: 'Failed', reason, mayHaveArrived: false });
      expect(context.requests).toHaveLength(1);
    }
  });

  test('a refused issue is reported as a failure, without the text of the response', async () => {
    const context = testContext((request) =>
      request.url.endsWith('/issue') ? answered(403, 'secret words') : answered(200, '{"issues":[]}'),
    );
    const outcome = await deliver(context);
    expect(outcome).toMatchObject({ outcome: 'Failed', reason: 'Http4xx', httpStatus: 403 });
    expect(JSON.stringify(outcome)).not.toContain('secret');
  });

  test('an issue is created without a priority if the project has no priority field', async () => {
    const tracker = createTracker();
    tracker.refusedFields.add('priority');
    expect(await deliver(testContext(tracker.answer))).toMatchObject({ outcome: 'Sent' });
    expect(tracker.issues[0]?.fields).not.toHaveProperty('priority');
    tracker.refusedFields.add('labels');
    expect(await deliver(testContext(tracker.answer), { subscriptionName: 'x' })).toMatchObject({
      reason: 'Http4xx',
    });
  });

  test('an invalid issue key in a response is never used in a path', async () => {
    const evil = JSON.stringify({ issues: [{ key: '../../x', fields: { summary: 'SVC: Late orders' } }] });
    const context = testContext((request) =>
      request.url.endsWith('/search/jql') ? answered(200, evil) : answered(201, '{"key":"OPS-1"}'),
    );
    await deliver(context);
    expect(context.requests.map((request) => new URL(request.url).pathname)).toEqual([
      '/rest/api/3/search/jql',
      '/rest/api/3/issue',
      '/rest/api/3/issue/OPS-1/comment',
    ]);
  });

  test('an attachment is omitted, with a warning and a note', async () => {
    const attachment = {
      name: 'a.csv',
      contentType: 'text/csv',
      rowCount: 1,
      read: async () => new Uint8Array(1),
    };
    const context = testContext(createTracker().answer);
    expect(await deliver(context, { attachment })).toMatchObject({
      outcome: 'Sent',
      notes: ['AttachmentNotSent'],
    });
    expect(context.warnings).toHaveLength(1);
  });

  test('nothing is sent for a destination that cannot be parsed', async () => {
    const context = testContext(() => answered(200));
    expect(await deliver(context, {}, 'acme;OPS')).toMatchObject({ reason: 'DestinationNotAllowed' });
    expect(context.requests).toEqual([]);
  });
});

test('hostile values do not change the outline of the document and stay within the length limit of the field', () => {
  const messageWith = (text: string) =>
    testMessage({
      subscriptionName: text,
      dataSourceName: text,
      queryText: text,
      columns: [text, 'b'],
      rows: [[text, text]],
    });
  const outline = (text: string) =>
    JSON.stringify(issueDocument(messageWith(text)), (key, value: unknown) =>
      key === 'text' && typeof value === 'string' ? 'text' : value,
    );
  const plain = outline('plain');
  for (const text of hostileTexts) {
    expect([text.slice(0, 40), outline(text)]).toEqual([text.slice(0, 40), plain]);
    expect(JSON.stringify(issueDocument(messageWith(text)))).not.toContain('"text":""');
    const summary = issueSummary(messageWith(text));
    expect(Array.from(summary).length).toBeLessThanOrEqual(255);
    expect(summary).not.toMatch(/[\r\n]/);
  }
  const wide = Array.from({ length: 60 }, () => '"'.repeat(900));
  const rows = Array.from({ length: 20 }, () => wide);
  expect(JSON.stringify(issueDocument(testMessage({ columns: wide, rows }))).length).toBeLessThan(32_767);
});
