import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { loadConfig } from '@svc/server';
import { expect } from 'vitest';
import { approvalsOn, approve, person } from '../support/approve.ts';
import { startDelivering } from '../support/delivering.ts';
import { scenario } from '../support/scenario.ts';
import { jsonOf, sendOnce } from '../support/send-once.ts';
import { logLevel } from '../support/service.ts';
import { addRecipient, addSubscription, runNow } from '../support/subscribe.ts';

scenario(
  ['DL-2.5-03'],
  'whatever is stored as a reason, the history shows a sentence of its own list',
  async ({ deliver }) => {
    const world = await deliver();
    const { run } = await sendOnce(world, await world.addQuery('select * from nowhere'));
    expect(run.comment).toContain('step 1');
    const secret = 'password of the database';
    await world.svc.sql('update svc.runs set reason = $2, reason_detail = $3 where id = $1', [
      run.id,
      secret,
      JSON.stringify({ text: secret }),
    ]);
    const detail = await world.root.get(`/svc/api/notifications/${run.id}`);
    expect(detail.read<{ comment: string }>().comment).toBe('The run failed.');
    expect(detail.text).not.toContain(secret);
    expect((await world.root.get('/svc/api/notifications')).text).not.toContain(secret);
  },
);

scenario(
  ['DL-3.1-04', 'DL-3.1-06', 'DL-3.1-07', 'DL-3.1-09', 'DL-7-09'],
  'while every recipient waits for approval nobody is notified, and the skipped run is no baseline',
  async ({ deliver }) => {
    const world = await deliver(approvalsOn);
    await world.source.sql('create table stock as select 1 as item');
    const queryId = await world.addQuery('select item from stock');
    const recipientId = await addRecipient(world.root, {
      notificationType: 'Webhook',
      destination: `${world.sink.url}/stock`,
    });
    await approve(await person(world, 'Approver'), recipientId);
    const subscriptionId = await addSubscription(world.root, {
      queryId,
      recipientIds: [recipientId],
      notificationTrigger: 'OnResultCountChange',
    });
    expect((await runNow(world.root, subscriptionId)).status).toBe('Sent');
    const setState = (state: string) =>
      world.svc.sql('update svc.recipients set state = $2 where id = $1', [recipientId, state]);
    await setState('AwaitingApproval');
    await world.source.sql('insert into stock values (2)');
    const answer = await world.root.post(`/svc/api/subscriptions/${subscriptionId}/test-run`);
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('Approvals page');
    expect(world.sink.received).toHaveLength(1);
    const warned = world.svc.log.filter(
      (entry) => entry.level === logLevel.warn && entry['subscriptionId'] === subscriptionId,
    );
    expect(warned).toHaveLength(1);
    await setState('Approved');
    // Two rows against the one of the last run that was not skipped.
    expect((await runNow(world.root, subscriptionId)).status).toBe('Sent');
    expect(jsonOf(world.sink.received[1])).toMatchObject({ totalRecords: 2, previousResultCount: 1 });
  },
);

scenario(
  ['DL-2.4-13'],
  'a template whose result grows beyond all bounds is left for the default body',
  async ({ deliver }) => {
    const world = await deliver();
    const query = await world.addQuery("select repeat('x', 1000) as wide from generate_series(1, 20)");
    const bodyTemplate = `[${Array.from({ length: 2_000 }, () => '{{Records}}').join(',')}]`;
    const { run, received } = await sendOnce(world, query, {}, { bodyTemplate });
    expect(run.status).toBe('Sent');
    expect(run.comment).toContain('default body');
    expect(jsonOf(received[0])).toMatchObject({ source: 'Svc', totalRecords: 20 });
  },
);

scenario(['DL-5.3-03'], 'a base of links without the segment of the service stops the start', async () => {
  for (const base of ['https://svc.example.org', 'https://svc.example.org/svc/x', 'svc.example.org/svc'])
    expect(() => loadConfig({ values: { 'Svc:BaseUrl': base } })).toThrow(/Svc:BaseUrl .*ends in \/svc/);
  for (const base of ['https://svc.example.org/svc', 'http://localhost:8080/tools/svc'])
    expect(loadConfig({ values: { 'Svc:BaseUrl': base } }).config['Svc:BaseUrl']).toBe(base);
});

scenario(
  ['DL-5.4-15'],
  'with UseSystemProxy deliveries go through the proxy, which alone resolves their names',
  async ({ start, onEnd }) => {
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
    const world = await startDelivering(
      start,
      { 'Svc:Notifications:UseSystemProxy': true },
      { systemProxy: { httpsProxy } },
    );
    onEnd(world.close);
    sinkPort = Number(new URL(world.sink.url).port);
    const query = await world.addQuery('select 1 as one');
    // A name that nothing but the proxy knows; the sink's certificate is for an address, so the proxy is as far as it gets.
    const destination = 'https://known-to-the-proxy.example.com/in';
    await sendOnce(world, query, {}, { destination });
    expect(tunnels).toEqual(['known-to-the-proxy.example.com:443']);
  },
);
