import { createOriginCheck } from '../../platform/mcp/index.ts';
import type { Settings } from '../settings/index.ts';

/** Returns the issuers to which clients are referred for a token. Empty if the endpoint accepts no token. */
export function authorizationServersOf({ bearer, mcp }: Settings, takesAny: boolean): readonly string[] {
  const { Systems = [], Users } = mcp.callers;
  const takesTokens = takesAny && (Systems.length > 0 || Users?.Enabled === true);
  return takesTokens ? (bearer?.issuers ?? []).filter((issuer) => URL.canParse(issuer)) : [];
}

/** Creates the origin check. The host name is known only if the operator has configured it. */
export const originCheckOf = ({ addresses, mcp }: Settings) =>
  createOriginCheck({
    hosts: [...addresses.hostNames, ...mcp.allowedHosts],
    isHostKnown: addresses.publicBaseUrl !== undefined || mcp.allowedHosts.length > 0,
    origins: mcp.allowedOrigins,
  });
