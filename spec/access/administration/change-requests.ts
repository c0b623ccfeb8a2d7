import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { signIn, superAdmin } from '@svc/testkit/people/people.ts';
import { password } from '@svc/testkit/people/users.ts';
import { approvalsOn, changesPath, waitingChange } from '@svc/testkit/runs/approve.ts';
import { addRecipient } from '@svc/testkit/runs/subscribe.ts';
import type { RunningService } from '@svc/testkit/service/service.ts';
import type { CallerKind } from '../caller.ts';
import type { Fixture } from '../fixture.ts';

/** Kinds of caller that may change a recipient, and so can have their own requests. */
const requesters: readonly CallerKind[] = ['superAdmin', 'admin', 'securityAdmin'];

type Desk = { readonly svc: RunningService; readonly clients: Map<CallerKind, HttpClient> };
const desks = new WeakMap<Fixture, Promise<Desk>>();

/** Returns a second process on the fixture's database in which changes wait for approval. The first call starts it. */
function deskOf(fixture: Fixture): Promise<Desk> {
  const cachedDesk = desks.get(fixture);
  if (cachedDesk !== undefined) return cachedDesk;
  const desk = fixture.svc.replica(approvalsOn).then((svc) => ({ svc, clients: new Map() }));
  desks.set(fixture, desk);
  return desk;
}

async function clientOf({ svc, clients }: Desk, kind: CallerKind): Promise<HttpClient> {
  const person = kind === 'superAdmin' ? superAdmin : { userName: kind, password };
  const client = clients.get(kind) ?? (await signIn(svc, person));
  clients.set(kind, client);
  return client;
}

let count = 0;

/** Creates a pending request: by `kind` if it may change recipients, otherwise by the fixture's SecurityAdmin. */
export async function freshChange(
  fixture: Fixture,
  kind: CallerKind = 'securityAdmin',
): Promise<{ path: string; changeHash: string }> {
  const id = await addRecipient(fixture.root, {
    notificationType: 'Webhook',
    destination: 'https://hooks.example.com/in',
  });
  const desk = await deskOf(fixture);
  const requester = await clientOf(desk, requesters.includes(kind) ? kind : 'securityAdmin');
  const saved = await requester.put(`/svc/api/recipients/${id}`, {
    notificationType: 'Webhook',
    name: `Redirected ${count++}`,
    destination: 'https://other.example.com/in',
  });
  const change = await waitingChange(await clientOf(desk, 'superAdmin'), id);
  if (!change) throw new Error(`Nothing waits: ${saved.status} ${saved.text}`);
  return { path: `${changesPath}/${change.id}`, changeHash: change.changeHash };
}
