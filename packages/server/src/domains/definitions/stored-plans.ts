import { type Caller, identityOf } from '../../platform/access/index.ts';
import { open, seal } from '../../platform/crypto/index.ts';
import { notFound } from '../../platform/http/index.ts';
import type { Planned } from './planning/plan.ts';
import type { DefinitionsDeps } from './service.ts';
import { findPlan, insertPlan } from './store.ts';

type StoredPlansDeps = Pick<DefinitionsDeps, 'database' | 'keys' | 'random'>;

const placeOf = (id: string) => ({ table: 'definition_plans', column: 'plan_sealed', rowId: id });

/** Stores a plan for its caller and returns its expiry. */
export const storePlan = (
  { database, keys, random }: StoredPlansDeps,
  id: string,
  caller: Caller,
  plan: Planned,
): Promise<Date> =>
  database.transaction((tx) =>
    insertPlan(tx, {
      id,
      caller: ownerOf(caller),
      sealed: seal(keys, JSON.stringify(plan), placeOf(id), random),
    }),
  );

/** @throws Refusal 404 for a plan that does not exist, or that another caller has made. */
export async function readPlan(
  { database, keys }: StoredPlansDeps,
  caller: Caller,
  id: string,
): Promise<Planned> {
  const row = await findPlan(database, id, ownerOf(caller));
  if (!row) throw notFound();
  const opened = open(keys, row.sealed, placeOf(id));
  if (!opened.ok) throw notFound();
  // Only `storePlan` writes plans.
  return JSON.parse(opened.secret.reveal()) as Planned;
}

/** Returns the identity of the caller. Every caller who passes the gates has one. */
function ownerOf(caller: Caller): string {
  const owner = identityOf(caller);
  if (owner === undefined) throw notFound();
  return owner;
}
