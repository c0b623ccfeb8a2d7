import type { Caller } from '../../../platform/access/index.ts';
import type { Executor, Tx } from '../../../platform/db/index.ts';
import { conflict, forbidden, notFound } from '../../../platform/http/index.ts';
import { mayManage } from '../access.ts';
import { type ActorRow, findActor, lockActor } from '../store.ts';
import type { AiActorsDeps } from './deps.ts';

/** Returns the actor and the right of the caller, who needs read access to its project. */
export async function requireActor(
  { rights }: Pick<AiActorsDeps, 'rights'>,
  executor: Executor,
  caller: Caller,
  id: number,
) {
  const actor = await findActor(executor, id);
  if (!actor) throw notFound();
  return { actor, right: await rights.require(executor, caller, actor.projectId, 'Read') };
}

/** Locks the actor and checks that the caller may change it. */
export async function lockManagedActor(
  { rights }: Pick<AiActorsDeps, 'rights'>,
  tx: Tx,
  caller: Caller,
  id: number,
): Promise<ActorRow> {
  const actor = await lockActor(tx, id);
  if (!actor) throw notFound();
  const right = await rights.require(tx, caller, actor.projectId, 'Read');
  if (!mayManage(caller, actor, right))
    throw forbidden('not-your-actor', 'Only the owner of the actor, a ProjectAdmin or an Admin may.');
  return actor;
}

/** Requires an enabled owner with write access to the project. */
export async function requireFitOwner(
  { acting }: Pick<AiActorsDeps, 'acting'>,
  tx: Tx,
  actor: ActorRow,
): Promise<void> {
  if (await acting.asOwner(tx, actor)) return;
  throw conflict(
    'actor-owner-unfit',
    'The owner of the actor is disabled or may not write in the project. Give the actor to somebody who may.',
  );
}
