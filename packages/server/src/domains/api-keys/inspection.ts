import type { ApiKeyExplanation, ApiKeyUses, Endpoint, ProjectRight } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import { type Clock, statementTime } from '../../platform/clock.ts';
import type { Database, Queryable } from '../../platform/db/index.ts';
import { notFound } from '../../platform/http/index.ts';
import { type KeyRules, refusalOf, validScopes } from './access.ts';
import { callerOf } from './authenticate.ts';
import { explain, type ReachedProject } from './explain.ts';
import type { LastUsed } from './last-used.ts';
import { stateOf } from './present.ts';
import { findKey, type StoredKey } from './store.ts';
import { deleteOldUses, findUses } from './use-store.ts';

/** Lists the live projects that a caller can access, with the right in each. */
export type ReachableProjects = (
  executor: Queryable,
  caller: Caller,
) => Promise<readonly { readonly projectId: number; readonly name: string; readonly right: ProjectRight }[]>;

export type KeyInspection = {
  /** Throws 404 unless the caller owns the key. */
  readonly ownUses: (id: number, caller: Caller) => Promise<ApiKeyUses>;
  readonly explainOwn: (id: number, caller: Caller) => Promise<ApiKeyExplanation>;
  readonly anyUses: (id: number) => Promise<ApiKeyUses>;
  /** Omits names of projects that the reader may not see. */
  readonly explainAny: (id: number, reader: Caller) => Promise<ApiKeyExplanation>;
  /** Deletes uses after their retention time. */
  readonly sweep: () => Promise<void>;
};

/** Creates reports on the uses of keys and on their permissions. */
export function createKeyInspection(deps: {
  database: Database;
  clock: Clock;
  lastUsed: LastUsed;
  rules: KeyRules;
  reachableProjects: ReachableProjects;
  /** All routes of the service. */
  endpoints: readonly Endpoint[];
}): KeyInspection {
  const { database, clock, lastUsed, rules, reachableProjects } = deps;

  const find = async (id: number, owner?: Caller): Promise<StoredKey> => {
    const key = await findKey(database, id, statementTime(clock));
    if (!key || (owner && (key.ownerUserId === null || key.ownerUserId !== owner.userId))) throw notFound();
    return key;
  };
  const usesOf = async ({ id }: StoredKey): Promise<ApiKeyUses> => {
    await lastUsed.flush();
    const { operations, days } = await findUses(database, id, statementTime(clock));
    return {
      useCount: days.reduce((sum, { useCount }) => sum + useCount, 0),
      operations: operations.map((used) => ({ ...used, lastUsedAt: used.lastUsedAt.toISOString() })),
      days: [...days],
    };
  };
  const explainKey = async (key: StoredKey, reader: Caller): Promise<ApiKeyExplanation> => {
    const caller = callerOf(key);
    const [reached, seen] = await Promise.all([
      reachableProjects(database, caller),
      reachableProjects(database, reader),
    ]);
    const names = new Map(seen.map(({ projectId, name }) => [projectId, name]));
    const named = ({ projectId, right }: Pick<ReachedProject, 'projectId' | 'right'>): ReachedProject => ({
      projectId,
      name: names.get(projectId) ?? null,
      right,
    });
    const listed = caller.allowedProjectIds ?? [];
    const lost = listed.filter((id) => !reached.some(({ projectId }) => projectId === id));
    return explain({
      refusal: refusalOf(stateOf(key), rules, key.at),
      caller,
      granted: validScopes(key.scopes),
      projects: [...reached.map(named), ...lost.map((projectId) => named({ projectId, right: null }))],
      endpoints: deps.endpoints,
    });
  };

  return {
    ownUses: async (id, caller) => usesOf(await find(id, caller)),
    explainOwn: async (id, caller) => explainKey(await find(id, caller), caller),
    anyUses: async (id) => usesOf(await find(id)),
    explainAny: async (id, reader) => explainKey(await find(id), reader),
    sweep: () => deleteOldUses(database, statementTime(clock)),
  };
}
