import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { addRecipient, addSubscription, runNow } from '@svc/testkit/runs/subscribe.ts';
import { addDataSource, addQuery, startSource } from '@svc/testkit/runs/watch.ts';
import { expect } from 'vitest';
import { startProxiedHook, startTracker } from '../support/hosts/outside-servers.ts';
import { scenario } from '../support/scenario.ts';

const route = '/svc/api/recipients';
let count = 0;

const save = (client: HttpClient, notificationType: string, destination: string) =>
  client.post(route, { notificationType, name: `Destination ${count++}`, destination });

const taken = async (client: HttpClient, notificationType: string, destination: string) => {
  const answer = await save(client, notificationType, destination);
  expect([destination, answer.status, answer.text]).toEqual([destination, 201, answer.text]);
};
const refused = async (client: HttpClient, notificationType: string, destination: string, reason: RegExp) => {
  const answer = await save(client, notificationType, destination);
  expect([destination, answer.status]).toEqual([destination, 400]);
  expect(answer.text).toMatch(reason);
};

scenario(
  ['DL-2.1-08', 'DL-2.1-09', 'DL-2.1-10', 'DL-2.1-11'],
  'the two chat channels accept the webhook addresses of their vendors, except the older connector host for cards',
  async ({ root }) => {
    await taken(root, 'ChatBlocks', 'https://hooks.slack.com/services/T0/B1/secret');
    await refused(root, 'ChatBlocks', 'hooks.slack.com/services/T0/B1/secret', /URL|address/i);
    await taken(
      root,
      'ChatCards',
      'https://prod-01.westeurope.logic.azure.com/workflows/id/triggers/manual/paths/invoke?sig=secret',
    );
    await taken(
      root,
      'ChatCards',
      'https://default1.05.environment.api.powerplatform.com/powerautomate/automations/direct/workflows/id',
    );
    await refused(root, 'ChatCards', 'prod-01.westeurope.logic.azure.com/workflows/id', /URL/);
    await refused(root, 'ChatCards', 'http://prod-01.westeurope.logic.azure.com/workflows/id', /https/);
    for (const host of ['example.com', 'logic.azure.com.example.com', 'hooks.slack.com'])
      await refused(root, 'ChatCards', `https://${host}/workflows/id/triggers/manual/paths/invoke`, /host/i);
    await taken(root, 'ChatCards', 'https://example.webhook.office.com/webhookb2/secret/IncomingWebhook/x/y');
    await refused(
      root,
      'ChatCards',
      'https://outlook.office.com/webhook/secret/IncomingWebhook/x/y',
      /host/i,
    );
    await refused(root, 'ChatCards', 'https://outlook.office365.com/webhook/secret', /host/i);
  },
);

scenario(
  ['DL-2.1-12', 'DL-2.1-13'],
  'an issue-tracker destination has four parts, with its site as a name, an address or a gateway with a cloud id',
  async ({ root }) => {
    const rest = 'OPS;bot@example.org;secret-token';
    for (const site of ['acme', 'https://acme.atlassian.net', 'https://api.atlassian.com/ex/jira/11-22-33'])
      await taken(root, 'IssueTracker', `${site};${rest}`);
    await refused(root, 'IssueTracker', `https://api.atlassian.com;${rest}`, /cloud id/);
    await refused(root, 'IssueTracker', 'acme;OPS;bot@example.org', /four parts/);
    await refused(root, 'IssueTracker', 'acme;;bot@example.org;secret-token', /four parts/);
    await refused(root, 'IssueTracker', 'acme;OPS;Bot <bot@example.org>;secret-token', /email address/);
    await refused(
      root,
      'IssueTracker',
      `https://user:pass@acme.atlassian.net;${rest}`,
      /user name or password/,
    );
  },
);

scenario(
  ['DL-2.1-14', 'DL-5.4-05', 'DL-5.4-11'],
  'an on-premises tracker needs an allowed host and an allowed network, and its account creates issues in the project',
  async ({ start, onEnd }) => {
    const tracker = await startTracker();
    onEnd(tracker.close);
    const source = await startSource();
    onEnd(source.close);
    const hosts = { 'Svc:Notifications:AllowedHosts:IssueTracker': ['127.0.0.1'] };
    const networks = { 'Svc:Notifications:AllowedPrivateNetworks:IssueTracker': ['127.0.0.0/8'] };
    const trusted = { 'Svc:Notifications:TrustedCertificates': [tracker.certificate] };
    const destination = `${tracker.url};OPS;bot@example.org;secret-token`;
    for (const settings of [hosts, networks]) {
      const root = await setUp(await start({ ...settings, 'Svc:Jobs:Workers': 0 }));
      await refused(root, 'IssueTracker', destination, /host|network|address/i);
    }
    const root = await setUp(await start({ ...hosts, ...networks, ...trusted }));
    const recipientId = await addRecipient(root, { notificationType: 'IssueTracker', destination });
    const projectId = await addProject(root, 'Tracked');
    const dataSourceId = await addDataSource(root, projectId, source.connection);
    const queryId = await addQuery(root, projectId, dataSourceId, 'select 1 as one');
    const run = await runNow(root, await addSubscription(root, { queryId, recipientIds: [recipientId] }));
    expect(run.status).toBe('Sent');
    const made = tracker.received.find(({ path }) => path.endsWith('/issue'));
    expect(made?.body).toMatchObject({ fields: { project: { key: 'OPS' } } });
    expect(made?.authorization).toBe(
      `Basic ${Buffer.from('bot@example.org:secret-token').toString('base64')}`,
    );
  },
);

scenario(
  ['DL-5.4-15'],
  'with the system proxy, deliveries use the proxy, which resolves the names',
  async ({ start, onEnd }) => {
    // Only the proxy resolves this name.
    const hook = await startProxiedHook('hooks.only-the-proxy-knows.example');
    onEnd(hook.close);
    const source = await startSource();
    onEnd(source.close);
    const settings = {
      'Svc:Notifications:UseSystemProxy': true,
      'Svc:Notifications:TrustedCertificates': [hook.certificate],
    };
    const root = await setUp(await start(settings, { systemProxy: { httpsProxy: hook.url } }));
    const recipientId = await addRecipient(root, {
      notificationType: 'Webhook',
      destination: 'https://hooks.only-the-proxy-knows.example/in',
    });
    const projectId = await addProject(root, 'Proxied');
    const dataSourceId = await addDataSource(root, projectId, source.connection);
    const queryId = await addQuery(root, projectId, dataSourceId, 'select 1 as one');
    const run = await runNow(root, await addSubscription(root, { queryId, recipientIds: [recipientId] }));
    expect(run.status).toBe('Sent');
    expect(hook.tunnels).toEqual(['hooks.only-the-proxy-knows.example:443']);
    expect(hook.arrived()).toBe(1);
  },
);
