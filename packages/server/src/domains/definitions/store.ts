import type { DefinitionKind } from '@svc/contract';
import type { Executor, Queryable, Tx } from '../../platform/db/index.ts';

/** Stored state of an applied record. */
export type ManagedRow = {
  readonly kind: DefinitionKind;
  readonly id: number;
  readonly manager: string;
  /** HMACs of its members, by name. */
  readonly applied: Readonly<Record<string, string>>;
  /** Its secrets by JSON pointer: the name, and an HMAC of the value when a value was sent. */
  readonly secrets: Readonly<Record<string, { readonly name: string; readonly mac?: string }>>;
  readonly appliedAt: Date;
  /** Only a change of its file may change the record. */
  readonly isManaged: boolean;
};

const columns =
  'm.kind, m.record_id as id, m.manager, m.applied, m.secrets, m.applied_at as "appliedAt", m.is_managed as "isManaged"';

/** Returns live records that were applied from files. */
export async function listManaged(executor: Executor): Promise<ManagedRow[]> {
  const { rows } = await executor.query<ManagedRow>(
    `select ${columns} from svc.managed_objects m join svc.definition_records r using (kind, record_id)`,
  );
  return rows;
}

export async function findManaged(
  executor: Executor,
  kind: DefinitionKind,
  id: number,
): Promise<ManagedRow | undefined> {
  const { rows } = await executor.query<ManagedRow>(
    `select ${columns} from svc.managed_objects m where m.kind = $1 and m.record_id = $2`,
    [kind, id],
  );
  return rows[0];
}

/** Stores the applied state of a record. A managed record remains managed until its release. */
export async function saveManaged(
  executor: Queryable,
  { kind, id, manager, applied, secrets, isManaged }: Omit<ManagedRow, 'appliedAt'>,
): Promise<void> {
  await executor.query(
    `insert into svc.managed_objects (kind, record_id, manager, applied, secrets, is_managed)
       values ($1, $2, $3, $4, $5, $6)
     on conflict (kind, record_id) do update
       set manager = excluded.manager, applied = excluded.applied, secrets = excluded.secrets, applied_at = now(),
         is_managed = excluded.is_managed or managed_objects.is_managed`,
    [kind, id, manager, JSON.stringify(applied), JSON.stringify(secrets), isManaged],
  );
}

/**
 * Allows edits of a record by hand.
 *
 * @returns false when they were already allowed.
 */
export async function releaseManaged(tx: Tx, kind: DefinitionKind, id: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    'update svc.managed_objects set is_managed = false where kind = $1 and record_id = $2 and is_managed',
    [kind, id],
  );
  return rowCount === 1;
}

/** Lifetime of a plan. */
export const planMinutes = 60;

export async function insertPlan(
  tx: Tx,
  plan: { readonly id: string; readonly caller: string; readonly sealed: string },
): Promise<Date> {
  const { rows } = await tx.query<{ expiresAt: Date }>(
    `insert into svc.definition_plans (id, caller, plan_sealed) values ($1, $2, $3)
     returning created_at + make_interval(mins => $4) as "expiresAt"`,
    [plan.id, plan.caller, plan.sealed, planMinutes],
  );
  const [made] = rows;
  if (!made) throw new Error('The plan was not stored.');
  return made.expiresAt;
}

/** Returns the caller's plan unless it has expired. */
export async function findPlan(
  executor: Executor,
  id: string,
  caller: string,
): Promise<{ sealed: string } | undefined> {
  const { rows } = await executor.query<{ sealed: string }>(
    `select plan_sealed as sealed from svc.definition_plans
     where id = $1 and caller = $2 and created_at > now() - make_interval(mins => $3)`,
    [id, caller, planMinutes],
  );
  return rows[0];
}

/**
 * Claims a plan for the first caller.
 *
 * @returns false when the plan is already claimed.
 */
export async function takePlan(executor: Executor, id: string): Promise<boolean> {
  const { rowCount } = await executor.query(
    'update svc.definition_plans set applied_at = now() where id = $1 and applied_at is null',
    [id],
  );
  return rowCount === 1;
}

/** Deletes expired plans. */
export async function deleteOldPlans(executor: Executor): Promise<void> {
  await executor.query(
    'delete from svc.definition_plans where created_at < now() - make_interval(mins => $1)',
    [planMinutes],
  );
}
