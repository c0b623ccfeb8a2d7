import type { ProblemCode } from '@svc/contract';
import type { HttpProblem } from '../http/index.ts';

/** Codes of 403 refusals that a better scope would mend. */
const scopeCodes: ReadonlySet<string> = new Set<ProblemCode>(['execute-scope-required']);

/**
 * A refusal of the MCP endpoint with its challenge (RFC 6750, RFC 9728): which document says where tokens come from,
 * which scope is needed, and what was wrong with a credential that was sent. Without a credential no error is named.
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

/** The `error` parameter; empty for a challenge without one, undefined for no challenge at all. */
function errorOf(refusal: HttpProblem, hasCredential: boolean): string | undefined {
  if (refusal.status === 401) return hasCredential ? 'invalid_token' : '';
  return refusal.status === 403 && scopeCodes.has(refusal.code ?? '') ? 'insufficient_scope' : undefined;
}

/** Printable ASCII without what ends a quoted text. */
const quotable = (text: string): string => text.replaceAll(/[^\x20-\x7e]|["\\]/g, ' ');
