import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { loadConfig } from '@svc/server';
import { approvalsOn, approve, person } from '@svc/testkit/runs/approve.ts';
import { addRecipient, addSubscription, runNow } from '@svc/testkit/runs/subscribe.ts';
import { logLevel } from '@svc/testkit/service/service.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';
import { jsonOf, sendOnce } from '../support/send-once.ts';

scenario(
  ['DL-2.5-03'],
  'the history shows a generic reason instead of unrecognised text that is stored as the reason',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { run } = await sendOnce(fixture, await fixture.addQuery('select * from nowhere'));
    expect(run.comment).toContain('step 1');
    const secret = 'password of the database';
    await fixture.svc.sql('update svc.runs set reason = $2, reason_detail = $3 where id = $1', [
      run.id,
      secret,
      JSON.stringify({ text: secret }),
    ]);
    const detail = await fixture.root.get(`/svc/api/notifications/${run.id}`);
    expect(detail.read<{ comment: string }>().comment).toBe('The run failed.');
    expect(detail.text).not.toContain(secret);
    expect((await fixture.root.get('/svc/api/notifications')).text).not.toContain(secret);
  },
);

scenario(
  ['DL-3.1-04', 'DL-3.1-06', 'DL-3.1-07', 'DL-3.1-09', 'DL-7-09'],
  'no recipient is notified while all await approval, and the skipped run is not a baseline',
  async ({ deliver }) => {
    const fixture = await deliver(approvalsOn);
    await fixture.source.sql('create table stock as select 1 as item');
    const queryId = await fixture.addQuery('select item from stock');
    const recipientId = await addRecipient(fixture.root, {
      notificationType: 'Webhook',
      destination: `${fixture.sink.url}/stock`,
    });
    await approve(await person(fixture, 'Approver'), recipientId);
    const subscriptionId = await addSubscription(fixture.root, {
      queryId,
      recipientIds: [recipientId],
      notificationTrigger: 'OnResultCountChange',
    });
    expect((await runNow(fixture.root, subscriptionId)).status).toBe('Sent');
    const setState = (state: string) =>
      fixture.svc.sql('update svc.recipients set state = $2 where id = $1', [recipientId, state]);
    await setState('AwaitingApproval');
    await fixture.source.sql('insert into stock values (2)');
    const answer = await fixture.root.post(`/svc/api/subscriptions/${subscriptionId}/test-run`);
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('Approvals page');
    expect(fixture.sink.received).toHaveLength(1);
    const warned = fixture.svc.log.filter(
      (entry) => entry.level === logLevel.warn && entry['subscriptionId'] === subscriptionId,
    );
    expect(warned).toHaveLength(1);
    await setState('Approved');
    // Compares two rows with the one row of the last run that was not skipped.
    expect((await runNow(fixture.root, subscriptionId)).status).toBe('Sent');
    expect(jsonOf(fixture.sink.received[1])).toMatchObject({ totalRecords: 2, previousResultCount: 1 });
  },
);

scenario(
  ['DL-2.4-13'],
  'the default body replaces a template whose result is too large',
  async ({ deliver }) => {
    const fixture = await deliver();
    const query = await fixture.addQuery("select repeat('x', 1000) as wide from generate_series(1, 20)");
    const bodyTemplate = `[${Array.from({ length: 2_000 }, () => '{{Records}}').join(',')}]`;
    const { run, received } = await sendOnce(fixture, query, {}, { bodyTemplate });
    expect(run.status).toBe('Sent');
    expect(run.comment).toContain('default body');
    expect(jsonOf(received[0])).toMatchObject({ source: 'Svc', totalRecords: 20 });
  },
);

scenario(['DL-5.3-03'], 'a base URL without the /svc segment prevents the start', async () => {
  for (const base of ['https://svc.example.org', 'https://svc.example.org/svc/x', 'svc.example.org/svc'])
    expect(() => loadConfig({ values: { 'Svc:BaseUrl': base } })).toThrow(/Svc:BaseUrl .*ends in \/svc/);
  for (const base of ['https://svc.example.org/svc', 'http://localhost:8080/tools/svc'])
    expect(loadConfig({ values: { 'Svc:BaseUrl': base } }).config['Svc:BaseUrl']).toBe(base);
});

scenario(
  ['DL-5.4-15'],
  'with UseSystemProxy, deliveries use the proxy, and only the proxy resolves their names',
  async ({ deliver, onEnd }) => {
    const tunnels: string[] = [];
    let sinkPort = 0;
    const proxy = http.createServer();
    proxy.on('connect', (request, socket) => {
      tunnels.push(request.url ?? '');
      const upstream = net.connect(sinkPort, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        upstream.pipe(socket).pipe(upstream);
      });
      upstream.on('error', () => socket.destroy());
      socket.on('error', () => upstream.destroy());
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    onEnd(async () => {
      proxy.closeAllConnections();
      proxy.close();
    });
    const httpsProxy = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const fixture = await deliver(
      { 'Svc:Notifications:UseSystemProxy': true },
      { systemProxy: { httpsProxy } },
    );
    sinkPort = Number(new URL(fixture.sink.url).port);
    const query = await fixture.addQuery('select 1 as one');
    // Only the proxy resolves this name. The certificate of the sink is for an IP address, so TLS fails after the
    // tunnel.
    const destination = 'https://known-to-the-proxy.example.com/in';
    await sendOnce(fixture, query, {}, { destination });
    expect(tunnels).toEqual(['known-to-the-proxy.example.com:443']);
  },
);
