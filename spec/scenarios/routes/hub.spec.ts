import type { RoleName } from '@svc/contract';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type Connecting, connect, happens, hears } from '@svc/testkit/client/hub-client.ts';
import { addKey, addUser, setUp, signIn } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { approvalsOn, changesPath, waitingChange } from '@svc/testkit/runs/approve.ts';
import { addRecipient, addSubscription, recipientOf, runNow } from '@svc/testkit/runs/subscribe.ts';
import type { RunningService } from '@svc/testkit/service/service.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';
import { movableClock } from '../support/time.ts';

/** Connects the official client to the hub with the session of a browser. The client reconnects. */
const connectToHub = (service: RunningService, who: HttpClient, how: Connecting = {}) =>
  connect(service.origin, who, { reconnects: true, ...how });

const hub = '/svc/api/hub';
const minuteMs = 60_000;
const fresh = (() => {
  let count = 0;
  return (what: string) => `${what}${count++}`;
})();
const person = async (svc: RunningService, ...roles: RoleName[]) =>
  signIn(svc, await addUser(svc, fresh('person'), roles));

scenario(
  ['RT-1-04', 'RT-4.5-01', 'RT-4.5-02'],
  'the official client connects to the hub over every transport and disconnects cleanly',
  async ({ svc }) => {
    const viewer = await person(svc, 'Viewer');
    for (const transport of ['WebSockets', 'ServerSentEvents', 'LongPolling'] as const) {
      const client = await connectToHub(svc, viewer, { transport });
      expect([transport, client.connection.state]).toEqual([transport, 'Connected']);
      await client.connection.stop();
      expect(client.happened).toEqual(['closed']);
    }
  },
);

scenario(
  ['RT-4.5-03', 'RT-4.5-04'],
  'of users without project access, only approvers and migration operators can connect to the hub; others get 403',
  async ({ svc }) => {
    for (const role of ['Approver', 'MigrationOperator'] as const) {
      const client = await connectToHub(svc, await person(svc, role));
      await client.connection.stop();
    }
    for (const roles of [[], ['UserAdmin'], ['SecurityAdmin'], ['DataSourceAdmin'], ['Auditor']] as const)
      await expect(connectToHub(svc, await person(svc, ...roles)), roles.join()).rejects.toThrow("'403'");
    await expect(connectToHub(svc, svc.client())).rejects.toThrow("'401'");
  },
);

scenario(
  ['ID-5.7-13', 'RT-4.5-05'],
  'no key can connect to the hub, regardless of its scope and owner',
  async ({ svc, root }) => {
    const project = await addProject(root, fresh('Project'));
    for (const scopes of [['Read'], ['Execute']]) {
      const { text } = await addKey(root, { scopes, projects: [project] });
      const authorization = `Bearer ${text}`;
      await expect(connectToHub(svc, svc.client(), { headers: { authorization } })).rejects.toThrow("'403'");
      expect((await svc.client(authorization).get(hub)).status).toBe(403);
      // The service does not fall back to the session if a browser sends both credentials.
      await expect(connectToHub(svc, root, { headers: { authorization } })).rejects.toThrow("'403'");
    }
  },
);

scenario(
  ['RT-4.5-06'],
  'the hub closes a connection when the next check of its session is due, and the client reconnects',
  async ({ start }) => {
    const clock = movableClock();
    const svc = await start({ 'Svc:Authentication:Session:RevalidateMinutes': 5 }, { clock });
    const root = await setUp(svc);
    const client = await connectToHub(svc, root);
    clock.advance(6 * minuteMs);
    await happens(client, 'reconnected');
    expect(client.happened).toEqual(['reconnecting', 'reconnected']);
    expect(client.connection.state).toBe('Connected');
    await client.connection.stop();
  },
);

scenario(
  ['ID-3.3-05'],
  'the end of a session closes its connections on every replica, and no other connections',
  async ({ svc }) => {
    const replica = await svc.replica();
    const user = await addUser(svc, fresh('person'), ['Viewer']);
    const browser = await signIn(svc, user);
    const other = await connectToHub(svc, await signIn(svc, user));
    const here = await connectToHub(svc, browser);
    const there = await connectToHub(replica, browser);
    await browser.post('/svc/api/auth/logout');
    await happens(here, 'closed');
    await happens(there, 'closed');
    expect([here.happened, there.happened, other.happened]).toEqual([['closed'], ['closed'], []]);
    await other.connection.stop();
  },
);

scenario(
  ['RT-4.5-07'],
  'with realtime off, the hub does not exist, and the pages are informed',
  async ({ start }) => {
    const svc = await start({ 'Svc:Realtime:Enabled': false });
    const root = await setUp(svc);
    await expect(connectToHub(svc, root)).rejects.toThrow("'404'");
    expect((await root.get('/svc/api/auth/me')).body).toMatchObject({ realtimeEnabled: false });
  },
);

scenario(
  ['RT-2-06', 'RT-6-01', 'RT-6-02', 'RT-6-04', 'DL-6-01', 'DL-6-02'],
  'the hub notifies the starter of a run of its job and notification, the owner of the notification, and no other user',
  async ({ deliver }) => {
    const { svc, root, sink, addQuery } = await deliver();
    const queryId = await addQuery('select 1 as one');
    const recipientIds = [await addRecipient(root, { ...recipientOf.Webhook, destination: sink.url })];
    const id = await addSubscription(root, { queryId, recipientIds });
    const [starter, stranger] = [await person(svc, 'Editor'), await person(svc, 'Editor')];
    const clients = {
      owner: await connectToHub(svc, root),
      starter: await connectToHub(svc, starter),
      stranger: await connectToHub(svc, stranger),
    };
    const run = await runNow(starter, id);
    const created = { notificationId: run.id, kind: 'Sent' };
    expect(await hears(clients.starter, 'NotificationCreated', 1)).toEqual([created]);
    expect(await hears(clients.owner, 'NotificationCreated', 1)).toEqual([created]);
    const states = await hears(clients.starter, 'JobStatusChanged', 2);
    expect(states.map(({ state }) => state)).toEqual(['Processing', 'Completed']);
    for (const payload of states) {
      expect(Object.keys(payload).sort()).toEqual(['jobId', 'state', 'timestamp']);
      expect(payload['jobId']).toBe(states[0]?.['jobId']);
      expect(new Date(String(payload['timestamp'])).toISOString()).toBe(payload['timestamp']);
    }
    // The owner's own run follows: an event for another user would have arrived before it.
    await runNow(root, id);
    await hears(clients.owner, 'JobStatusChanged', 2);
    await hears(clients.owner, 'NotificationCreated', 2);
    expect(clients.stranger.heard).toEqual([]);
    expect(clients.starter.heard.filter(({ event }) => event === 'NotificationCreated')).toHaveLength(1);
    for (const { connection } of Object.values(clients)) await connection.stop();
  },
);

scenario(
  ['RT-6-03'],
  'the process that runs a job publishes its status, even if another process has the connection of its starter',
  async ({ deliver }) => {
    const { svc, root, sink, addQuery } = await deliver({ 'Svc:Jobs:Workers': 0 });
    const queryId = await addQuery('select 1 as one');
    const recipientIds = [await addRecipient(root, { ...recipientOf.Webhook, destination: sink.url })];
    const id = await addSubscription(root, { queryId, recipientIds });
    const client = await connectToHub(svc, root);
    await root.post(`/svc/api/subscriptions/${id}/test-run`);
    expect(client.heard).toEqual([]);
    await svc.replica({ 'Svc:Jobs:Workers': 2 });
    const states = await hears(client, 'JobStatusChanged', 2);
    expect(states.map(({ state }) => state)).toEqual(['Processing', 'Completed']);
    await client.connection.stop();
  },
);

scenario(
  ['RT-6-05'],
  'the hub notifies only the requester and the reviewer of a decision about a change',
  async ({ deliver }) => {
    const { svc, root, sink } = await deliver(approvalsOn);
    const approver = await person(svc, 'Approver');
    const clients = {
      requester: await connectToHub(svc, root),
      reviewer: await connectToHub(svc, approver),
      otherApprover: await connectToHub(svc, await person(svc, 'Approver')),
    };
    for (const [act, status] of [
      ['approve', 'Approved'],
      ['reject', 'Rejected'],
    ] as const) {
      const recipient = { ...recipientOf.Webhook, destination: `${sink.url}/${act}` };
      const waiting = await waitingChange(approver, await addRecipient(root, recipient));
      const body = act === 'approve' ? { changeHash: waiting?.changeHash } : {};
      const answer = await approver.post(`${changesPath}/${waiting?.id}/${act}`, body);
      expect([act, answer.status < 300]).toEqual([act, true]);
      const update = { approvalId: waiting?.id, status };
      const count = act === 'approve' ? 1 : 2;
      expect((await hears(clients.requester, 'ApprovalUpdated', count)).at(-1)).toEqual(update);
      expect((await hears(clients.reviewer, 'ApprovalUpdated', count)).at(-1)).toEqual(update);
    }
    expect(clients.otherApprover.heard).toEqual([]);
    for (const { connection } of Object.values(clients)) await connection.stop();
  },
);
