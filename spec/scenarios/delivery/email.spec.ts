import net from 'node:net';
import type { Email } from '@svc/channels';
import { setUp } from '@svc/testkit/people/people.ts';
import { expect, vi } from 'vitest';
import { scenario } from '../support/scenario.ts';
import { sendOnce } from '../support/send-once.ts';

const route = '/svc/api/recipients';
const anna = { notificationType: 'Email', destination: 'anna@example.org' } as const;

scenario(
  ['DL-8-05'],
  'no attachment has more rows than the limit of a query, regardless of Max rows',
  async ({ deliver }) => {
    const sent: Email[] = [];
    const fixture = await deliver(
      { 'Svc:Query:MaxExecutionRows': 10 },
      { email: async (email) => sent.push(email) },
    );
    const attach = { includeAttachment: true, attachmentFormat: 'Csv', maxRows: 40 };
    const statusOf = async (rows: number, destination: string) => {
      const query = await fixture.addQuery(`select n from generate_series(1, ${rows}) n`);
      return (await sendOnce(fixture, query, attach, { ...anna, destination })).run.status;
    };
    expect(await statusOf(10, 'ten@example.org')).toBe('Sent');
    expect(await statusOf(11, 'eleven@example.org')).toBe('Failed');
    const files = sent.flatMap(({ attachment }) =>
      attachment ? [Buffer.from(attachment.Data).toString()] : [],
    );
    expect(files.map((file) => file.trim().split(/\r?\n/).length)).toEqual([11]);
  },
);

scenario(
  ['DL-5.1-34'],
  'without an email adapter the service sends no mail and does not look for a mail server',
  async ({ deliver, onEnd }) => {
    const dialled: unknown[] = [];
    const connect = vi.spyOn(net.Socket.prototype, 'connect');
    onEnd(async () => connect.mockRestore());
    const fixture = await deliver();
    await fixture.svc.sql(`update svc.users set email = 'root@example.org'`);
    const { run } = await sendOnce(fixture, await fixture.addQuery('select * from nowhere'));
    expect(run.status).toBe('Failed');
    await expect
      .poll(async () => (await fixture.root.get('/svc/api/notices')).body.totalCount)
      .toBeGreaterThan(0);
    for (const [first] of connect.mock.calls) dialled.push(...(Array.isArray(first) ? first : [first]));
    expect(dialled.length).toBeGreaterThan(0);
    const ports = dialled.flatMap((to) =>
      typeof to === 'object' && to && 'port' in to ? [Number(to.port)] : [],
    );
    expect(ports.filter((port) => [25, 465, 587, 2525].includes(port))).toEqual([]);
  },
);

scenario(
  ['DL-5.1-31'],
  'without an email adapter of the host no email recipient can be created',
  async ({ start }) => {
    const without = await setUp(await start());
    const refused = await without.post(route, { ...anna, name: 'Anna' });
    expect([refused.status, refused.text]).toEqual([400, expect.stringMatching(/adapter/)]);
    const withOne = await setUp(await start({}, { email: async () => undefined }));
    expect((await withOne.post(route, { ...anna, name: 'Anna' })).status).toBe(201);
  },
);

scenario(
  ['DL-5.1-01', 'DL-5.1-02', 'DL-5.1-16', 'DL-5.1-32'],
  'the email adapter receives the address, the subject, and an HTML body with a table of encoded values',
  async ({ deliver }) => {
    const sent: Email[] = [];
    const fixture = await deliver({}, { email: async (email) => sent.push(email) });
    await fixture.source.sql(
      'create table notes as select 1 as id, \'<script>alert(1)</script> & "x"\' as note',
    );
    const query = await fixture.addQuery('select id, note from notes', 'Notes <b>');
    const { run } = await sendOnce(fixture, query, { showQuery: true }, anna);
    expect([run.status, sent.length]).toEqual(['Sent', 1]);
    expect(sent[0]).toMatchObject({
      to: 'anna@example.org',
      subject: `[Svc] ${fixture.sourceName} - Notes <b>`,
    });
    const html = sent[0]?.html ?? '';
    expect(html).toMatch(/<table[\s\S]*note[\s\S]*<\/table>/);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp;');
    expect(html).not.toContain('<script>');
    expect(html).not.toContain('Notes <b>');
    expect(html).toContain('from notes');
  },
);

scenario(
  ['DL-2.1-23', 'DL-5.1-03', 'DL-5.1-33', 'DL-5.2-01', 'DL-5.2-02', 'DL-5.2-04', 'DL-8-05'],
  'an attachment contains the masked rows up to Max rows as CSV or XLSX, and only email delivers it',
  async ({ deliver }) => {
    const sent: Email[] = [];
    const fixture = await deliver({}, { email: async (email) => sent.push(email) });
    await fixture.source.sql(
      "create table people as select n as id, 'anna' || n || '@example.org' as email from generate_series(1, 50) n",
    );
    const query = await fixture.addQuery('select id, email from people order by id');
    const attach = { includeAttachment: true, attachmentFormat: 'Csv', maxRows: 40 };
    const { subscriptionId } = await sendOnce(fixture, query, { ...attach, showQuery: true }, anna);
    const saved = `/svc/api/subscriptions/${subscriptionId}`;
    expect((await fixture.root.get(saved)).body).toMatchObject({ ...attach, showQuery: true });
    expect((await fixture.root.patch(saved, { attachmentFormat: 'Pdf' })).status).toBe(400);
    expect(sent[0]?.html).toContain('from people');
    const file = sent[0]?.attachment;
    const lines = Buffer.from(file?.Data ?? [])
      .toString('utf8')
      .trim()
      .split(/\r?\n/);
    expect(file?.Name).toMatch(/\.csv$/);
    expect(file?.ContentType).toMatch(/csv/);
    expect(lines).toHaveLength(41);
    expect(lines.join()).not.toContain('anna7@example.org');
    const xlsx = { ...attach, attachmentFormat: 'Xlsx' };
    const second = await sendOnce(fixture, query, xlsx, { ...anna, destination: 'b@example.org' });
    expect((await fixture.root.get(`/svc/api/subscriptions/${second.subscriptionId}`)).body).toMatchObject({
      ...xlsx,
      showQuery: false,
    });
    expect(sent[1]?.html).not.toContain('from people');
    expect(sent[1]?.attachment?.Name).toMatch(/\.xlsx$/);
    expect(
      Buffer.from(sent[1]?.attachment?.Data ?? [])
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');
    await sendOnce(fixture, query, { includeAttachment: false }, { ...anna, destination: 'c@example.org' });
    expect(sent[2]).not.toHaveProperty('attachment.Data');
    const webhook = await sendOnce(fixture, query, attach);
    expect(webhook.received).toHaveLength(1);
    expect(webhook.received[0]?.headers['content-type']).toMatch(/json/);
  },
);
