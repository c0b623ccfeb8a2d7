import { Refusal } from '../http/index.ts';

/** Codes of 403 refusals that a better scope would mend. */
const scopeCodes = new Set(['execute-scope-required']);

/**
 * A refusal of the MCP endpoint with its challenge (RFC 6750, RFC 9728): which document says where tokens come from,
 * which scope is needed, and what was wrong with a credential that was sent. Without a credential no error is named.
 */
export function challengeOf(
  refusal: Refusal,
  about: { readonly metadataUrl: string; readonly scope: string; readonly hasCredential: boolean },
): Refusal {
  const error = errorOf(refusal, about.hasCredential);
  if (error === undefined) return refusal;
  const parameters = [
    ...(error === '' ? [] : [`error="${error}"`]),
    ...(error === 'invalid_token' ? [`error_description="${quotable(refusal.detail ?? '')}"`] : []),
    `scope="${about.scope}"`,
    `resource_metadata="${about.metadataUrl}"`,
  ];
  return new Refusal(refusal.status, {
    ...(refusal.code !== undefined && { code: refusal.code }),
    ...(refusal.detail !== undefined && { detail: refusal.detail }),
    type: refusal.type,
    title: refusal.title,
    ...(refusal.errors && { errors: refusal.errors }),
    headers: { ...refusal.headers, 'www-authenticate': `Bearer ${parameters.join(', ')}` },
  });
}

/** The `error` parameter; empty for a challenge without one, undefined for no challenge at all. */
function errorOf(refusal: Refusal, hasCredential: boolean): string | undefined {
  if (refusal.status === 401) return hasCredential ? 'invalid_token' : '';
  return refusal.status === 403 && scopeCodes.has(refusal.code ?? '') ? 'insufficient_scope' : undefined;
}

/** Printable ASCII without what ends a quoted text. */
const quotable = (text: string): string => text.replaceAll(/[^\x20-\x7e]|["\\]/g, ' ');
