import { createOriginCheck } from '../platform/mcp/index.ts';
import type { Settings } from './settings/index.ts';

/** Issuers that clients are sent to for a token; none while no token would be taken. */
export function authorizationServersOf({ bearer, mcp }: Settings, takesAny: boolean): readonly string[] {
  const { Systems = [], Users } = mcp.callers;
  const takesTokens = takesAny && (Systems.length > 0 || Users?.Enabled === true);
  return takesTokens ? (bearer?.issuers ?? []).filter((issuer) => URL.canParse(issuer)) : [];
}

/** The host is known when the operator has said which it is. */
export const originCheckOf = ({ addresses, mcp }: Settings) =>
  createOriginCheck({
    hosts: [...addresses.hostNames, ...mcp.allowedHosts],
    isHostKnown: addresses.publicBaseUrl !== undefined || mcp.allowedHosts.length > 0,
    origins: mcp.allowedOrigins,
  });
