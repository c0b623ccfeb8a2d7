import type { ProjectRight, ProjectRule } from '@svc/contract';
import { accessRefusal, type Caller } from '../../../platform/access/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { HttpProblem } from '../../../platform/http/index.ts';
import type { JsonObject } from '../../../platform/yaml/index.ts';
import { includesRight, type ProjectRights } from '../../projects/index.ts';
import type { AnyKind, Change } from '../kinds/kind.ts';

export type Admission = (
  caller: Caller,
  kind: AnyKind,
  change: Change<JsonObject>,
  /** Null for kinds outside projects, and for a project that the same plan creates. */
  projectId: number | null,
) => Promise<string | undefined>;

/**
 * Returns the reason why a caller may not make a change; undefined when it is allowed. Uses the access entries of the
 * endpoints that make the same change, so no second table exists.
 */
export const createAdmission =
  ({ database, rights }: { readonly database: Database; readonly rights: ProjectRights }): Admission =>
  async (caller, kind, change, projectId) => {
    if (kind.unavailable !== undefined) return kind.unavailable;
    if (caller.kind === 'apiKey' && !kind.isForKeys)
      return 'API keys apply queries, data contracts and subscriptions alone.';
    for (const { access } of kind.endpoints(change) ?? []) {
      const refusal = accessRefusal(access, caller);
      if (refusal) return refusal.detail ?? refusal.title;
      const needed = rightOf[access.project];
      if (needed === undefined || projectId === null) continue;
      if (!includesRight(await rights.rightIn(database, caller, projectId), needed))
        return `This needs the right ${needed} in the project.`;
    }
    return refusedBy(() => kind.mayWrite?.(caller, change));
  };

const rightOf: Readonly<Partial<Record<ProjectRule, ProjectRight>>> = {
  writable: 'Write',
  managed: 'Manage',
};

/** Returns the refusal of a check; undefined when the check passes. */
function refusedBy(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    const refuses = error instanceof HttpProblem && (error.status === 403 || error.code === 'setting-locked');
    if (refuses) return error.detail ?? error.title;
    throw error;
  }
}
