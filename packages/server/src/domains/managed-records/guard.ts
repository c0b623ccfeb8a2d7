import type { DefinitionKind } from '@svc/contract';
import type { Queryable } from '../../platform/db/index.ts';
import { conflict } from '../../platform/http/index.ts';
import type { Actor } from '../audit/index.ts';

/**
 * Refuses a change of a record that files manage, unless its own manager applies the files. Every service that changes
 * a member of a definition file calls it in the transaction of the change, after its checks for 404 and 403.
 *
 * @throws Refusal 409 `managed-from-code`.
 */
export async function assertUnmanaged(
  executor: Queryable,
  by: Pick<Actor, 'manager'>,
  kind: DefinitionKind,
  id: number,
): Promise<void> {
  const { rows } = await executor.query<{ manager: string }>(
    'select manager from svc.managed_objects where kind = $1 and record_id = $2 and is_managed',
    [kind, id],
  );
  refuseUnless(by, rows);
}

/** Applies the same check to all records of a project, before the project and its records are archived. */
export async function assertNothingManaged(
  executor: Queryable,
  by: Pick<Actor, 'manager'>,
  projectId: number,
): Promise<void> {
  const { rows } = await executor.query<{ manager: string }>(
    `select distinct m.manager from svc.managed_objects m join svc.definition_records r using (kind, record_id)
      where r.project_id = $1 and m.is_managed order by m.manager`,
    [projectId],
  );
  refuseUnless(by, rows);
}

function refuseUnless({ manager }: Pick<Actor, 'manager'>, rows: readonly { manager: string }[]): void {
  const other = rows.find((row) => row.manager !== manager);
  if (other) throw conflict('managed-from-code', managedRefusal(other.manager));
}

/** Returns the reason why a managed record cannot be changed, and the next step. */
export const managedRefusal = (manager: string): string =>
  `This is managed from the files of ${manager}: change it there and apply them, or ask an Admin to release it.`;
