import type { ProblemCode } from '@svc/contract';
import type { HttpProblem } from '../http/index.ts';

/** Codes of 403 refusals that a better scope would resolve. */
const scopeCodes: ReadonlySet<string> = new Set<ProblemCode>(['execute-scope-required']);

/**
 * Adds the challenge to a refusal of the MCP endpoint (RFC 6750, RFC 9728). It contains the metadata document, the
 * required scope, and the error of an invalid credential. Without a credential, it names no error.
 */
export function challengeOf(
  refusal: HttpProblem,
  about: { readonly metadataUrl: string; readonly scope: string; readonly hasCredential: boolean },
): HttpProblem {
  const error = errorOf(refusal, about.hasCredential);
  if (error === undefined) return refusal;
  const parameters = [
    ...(error === '' ? [] : [`error="${error}"`]),
    ...(error === 'invalid_token' ? [`error_description="${quotable(refusal.detail ?? '')}"`] : []),
    `scope="${about.scope}"`,
    `resource_metadata="${about.metadataUrl}"`,
  ];
  return refusal.withHeaders({ 'www-authenticate': `Bearer ${parameters.join(', ')}` });
}

/** Returns the `error` parameter: empty for a challenge without one, undefined for no challenge. */
function errorOf(refusal: HttpProblem, hasCredential: boolean): string | undefined {
  if (refusal.status === 401) return hasCredential ? 'invalid_token' : '';
  return refusal.status === 403 && scopeCodes.has(refusal.code ?? '') ? 'insufficient_scope' : undefined;
}

/** Replaces everything but printable ASCII, and the characters that end a quoted text. */
const quotable = (text: string): string => text.replaceAll(/[^\x20-\x7e]|["\\]/g, ' ');
