import { createDenials } from '../../domains/audit/index.ts';
import { bearerTokenOf } from '../../domains/bearer-tokens/index.ts';
import { createHostAuthenticator } from '../../domains/host-sign-in/index.ts';
import { createMcpCallers, type McpCallersService } from '../../domains/mcp-callers/index.ts';
import { readSessionCookie } from '../../domains/sessions/index.ts';
import { type Authenticator, authenticateBy } from '../../domains/sign-in/index.ts';
import { sessionRequired } from '../../platform/access/index.ts';
import type { HttpAppOptions } from '../../platform/http/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';
import type { Accounts } from './accounts.ts';
import type { ApiKeysModule } from './api-keys.ts';
import type { AccessTokens } from './bearer-tokens.ts';
import type { SignInModule } from './sign-in.ts';

/** Gates of every request: authentication, antiforgery, setup, and the audit of refusals. */
export type Gates = Pick<HttpAppOptions, 'authenticate' | 'checkAntiforgery' | 'isSetupOpen' | 'onDenied'>;

export type CallersModule = Module & {
  readonly gates: Gates;
  /** Callers of the MCP endpoint by access token; undefined while tokens are off. */
  readonly mcpCallers: McpCallersService | undefined;
};

const keyRoutes = '/svc/api/api-keys';

/** Composes the authentication methods in order: the host, a key, an access token, a cookie. */
export function composeCallers(
  infra: Infrastructure,
  deps: {
    readonly accounts: Accounts;
    readonly accessTokens: AccessTokens | undefined;
    readonly byKey: ApiKeysModule['byKey'];
    readonly isSetupOpen: SignInModule['isSetupOpen'];
  },
): CallersModule {
  const { database, log, settings } = infra;
  const { accounts, accessTokens, isSetupOpen } = deps;
  const byHost =
    infra.principal &&
    createHostAuthenticator(infra.principal, {
      honoursRoleClaims: settings.honoursRoleClaims,
      membershipsFrom: infra.memberships,
      log,
    });
  const bySession: Authenticator = async (request) => {
    const token = readSessionCookie(request);
    return token === undefined ? undefined : accounts.sessions.authenticate(token);
  };
  const mcpCallers =
    accessTokens &&
    createMcpCallers({
      database,
      log,
      mapping: settings.mcp.callers,
      tokens: accessTokens.tokens,
      isSetupOpen,
    });
  const byToken = accessTokens && mcpCallers && tokenAuthenticator(accessTokens.tokens, mcpCallers);
  const denials = createDenials(database, log);
  return {
    mcpCallers,
    gates: {
      isSetupOpen,
      authenticate: authenticateBy([
        ...(byHost ? [byHost] : []),
        deps.byKey,
        ...(byToken ? [byToken] : []),
        ...(settings.users.areStored ? [bySession] : []),
      ]),
      checkAntiforgery: (request, caller) => accounts.antiforgery.check(request, caller),
      onDenied: (request, refusal) => {
        const { caller, origin, traceId } = request.svc;
        if (caller.kind === 'anonymous') return;
        denials.note({
          by: { caller, clientAddress: origin.address, traceId },
          method: request.method,
          route: request.routeOptions.url ?? '',
          status: refusal.status,
          code: refusal.code,
        });
      },
    },
    close: denials.close,
  };
}

/**
 * Authenticates by access token. For a valid token without a stored user, the API-key routes answer 403 as for
 * every caller without a session.
 */
const tokenAuthenticator =
  (tokens: AccessTokens['tokens'], mcpCallers: McpCallersService): Authenticator =>
  async (request) => {
    try {
      return await tokens.authenticate(request);
    } catch (error) {
      const isOfKeys = request.routeOptions.url?.startsWith(keyRoutes) ?? false;
      const token = bearerTokenOf(request);
      if (isOfKeys && token !== undefined && (await mcpCallers.knows(token))) throw sessionRequired();
      throw error;
    }
  };
