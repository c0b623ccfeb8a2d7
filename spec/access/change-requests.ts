import { approvalsOn, changesPath, waitingChange } from '../scenarios/support/approve.ts';
import type { HttpClient } from '../scenarios/support/http-client.ts';
import { password, signIn, superAdmin } from '../scenarios/support/people.ts';
import type { RunningService } from '../scenarios/support/service.ts';
import { addRecipient } from '../scenarios/support/subscribe.ts';
import type { CallerKind } from './caller.ts';
import type { World } from './world.ts';

/** Kinds of caller that may change a recipient, and so have requests of their own. */
const requesters: readonly CallerKind[] = ['superAdmin', 'admin', 'securityAdmin'];

type Desk = { readonly svc: RunningService; readonly clients: Map<CallerKind, HttpClient> };
const desks = new WeakMap<World, Promise<Desk>>();

/** A second process on the world's database, under which changes wait for approval. */
function deskOf(world: World): Promise<Desk> {
  const known = desks.get(world);
  if (known !== undefined) return known;
  const desk = world.svc.replica(approvalsOn).then((svc) => ({ svc, clients: new Map() }));
  desks.set(world, desk);
  return desk;
}

async function clientOf({ svc, clients }: Desk, kind: CallerKind): Promise<HttpClient> {
  const person = kind === 'superAdmin' ? superAdmin : { userName: kind, password };
  const client = clients.get(kind) ?? (await signIn(svc, person));
  clients.set(kind, client);
  return client;
}

let count = 0;

/** A request that waits, made by `kind` where it can make one and by the world's SecurityAdmin otherwise. */
export async function freshChange(
  world: World,
  kind: CallerKind = 'securityAdmin',
): Promise<{ path: string; changeHash: string }> {
  const id = await addRecipient(world.root, {
    notificationType: 'Webhook',
    destination: 'https://hooks.example.com/in',
  });
  const desk = await deskOf(world);
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
