import type { Scope } from '@svc/contract';
import { anonymousCaller, type Caller, globalLevel } from '../../platform/access/index.ts';
import type { McpCallers } from '../../platform/config/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { forbidden } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { type BearerTokens, invalidToken, type VerifiedToken } from '../bearer-tokens/index.ts';
import { userOfIdentity } from '../single-sign-on/index.ts';
import { findUserByIdentity, rightsOf, type StoredUser } from '../users/index.ts';
import { type Mapped, mapCaller } from './access.ts';

export type McpCallersService = {
  /**
   * Returns the caller of an MCP request with an access token. Throws 401 for an invalid token, 403 for a caller
   * outside the mapping.
   */
  readonly callerOf: (token: string) => Promise<Caller>;
  /** Returns true for a valid token whose caller is in the mapping. Never provisions a user. */
  readonly knows: (token: string) => Promise<boolean>;
};

const editorLevel = 2;

const unknownCaller = () =>
  forbidden('unknown-mcp-caller', 'This token is valid, but its caller may not use the MCP endpoint.');

export function createMcpCallers(deps: {
  database: Database;
  log: Logger;
  mapping: McpCallers;
  tokens: Pick<BearerTokens, 'verify' | 'noteUse'>;
  isSetupOpen: () => Promise<boolean> | boolean;
}): McpCallersService {
  const { database, log, mapping, tokens } = deps;

  const provision = async (token: VerifiedToken): Promise<StoredUser | undefined> => {
    // Before the first administrator exists, no user is provisioned.
    if (mapping.Users?.AutoProvision === false || (await deps.isSetupOpen())) return undefined;
    const rules = { defaultRoleName: mapping.Users?.DefaultRoleName, idpRoles: new Map() };
    return database.transaction(async (tx) => (await userOfIdentity(tx, token, token.claims, rules)).user);
  };
  const personOf = async (token: VerifiedToken, mapped: Mapped & { kind: 'user' }): Promise<Caller> => {
    const user = (await findUserByIdentity(database, token)) ?? (await provision(token));
    if (!user) throw unknownCaller();
    if (!user.isEnabled || user.archivedAt !== null) throw invalidToken();
    await tokens.noteUse(token);
    return callerFor(user, mapped);
  };

  return {
    knows: async (text) => mapCaller(mapping, (await tokens.verify(text)).claims).kind !== 'refused',
    callerOf: async (text) => {
      const token = await tokens.verify(text);
      const mapped = mapCaller(mapping, token.claims);
      if (mapped.kind === 'refused') {
        log.warn({ reason: mapped.reason, issuer: token.issuer }, 'an MCP caller is not in the mapping');
        throw unknownCaller();
      }
      if (mapped.kind === 'user') return personOf(token, mapped);
      return {
        ...anonymousCaller,
        kind: 'mcpCaller',
        userName: mapped.name,
        role: mapped.scope === 'Execute' ? 'Editor' : 'Viewer',
        scopes: scopesOf(mapped.scope),
        allowedProjectIds: mapped.projectIds,
      };
    },
  };
}

const scopesOf = (scope: Scope): ReadonlySet<Scope> =>
  new Set(scope === 'Execute' ? (['Read', 'Execute'] as const) : (['Read'] as const));

/**
 * Returns the caller for a person's token. It grants at most the person's rights, and never an administrator's bypass.
 */
function callerFor(user: StoredUser, mapped: Mapped & { kind: 'user' }): Caller {
  const rights = rightsOf(user.roles, user.isSuperAdmin);
  const level = globalLevel({ ...anonymousCaller, ...rights });
  return {
    ...anonymousCaller,
    kind: 'mcpCaller',
    userId: user.id,
    userName: user.userName,
    role: rights.isSuperAdmin ? 'Admin' : rights.role,
    scopes: scopesOf(mapped.scope === 'Execute' && level >= editorLevel ? 'Execute' : 'Read'),
    allowedProjectIds: mapped.projectIds,
  };
}
