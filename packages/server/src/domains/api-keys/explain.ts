import type { Access, ApiKeyExplanation, Endpoint, ProjectRight, Scope } from '@svc/contract';
import { accessRefusal, type Caller, describeGrants } from '../../platform/access/index.ts';
import type { KeyRefusal } from './access.ts';

/** A project that a key can access, or that is on its list. */
export type ReachedProject = {
  readonly projectId: number;
  readonly name: string | null;
  /** Null: the project is on the list, but is archived, or the owner has no access to it. */
  readonly right: ProjectRight | null;
};

/** Explanations of a refused key, for its owner and for administrators. */
const reasons: Readonly<Record<KeyRefusal, string>> = {
  revoked: 'It was revoked.',
  expired: 'It has expired.',
  owner_missing: 'Its owner is gone.',
  owner_archived: 'Its owner was archived.',
  owner_disabled: 'Its owner is disabled.',
  owner_generation_changed: 'Its owner was disabled or archived since it was created: create a new one.',
  'no valid scopes': 'It has no scope that still exists.',
  owner_inactive: 'Its owner has not signed in for too long; it works again after they do.',
};

/**
 * Explains a key from the same data that authorises its requests: its caller, the access entries of the routes, and the
 * caller's rights in projects.
 */
export function explain(key: {
  readonly refusal: KeyRefusal | undefined;
  readonly caller: Caller;
  readonly granted: readonly Scope[];
  readonly projects: readonly ReachedProject[];
  readonly endpoints: readonly Endpoint[];
}): ApiKeyExplanation {
  const { refusal, caller, granted, projects, endpoints } = key;
  const scopes = granted.filter((scope) => caller.scopes?.has(scope));
  return {
    works: refusal === undefined,
    reason: refusal === undefined ? null : reasons[refusal],
    scopes: scopes.includes('Execute') ? ['Read', 'Execute'] : ['Read'],
    scopeRule: scopeRuleOf(granted, caller),
    projects: projects.map(({ projectId, name, right }) => ({
      projectId,
      name,
      right: right === 'Manage' ? 'Write' : right,
      rule: projectRuleOf(right),
    })),
    operations: endpoints.map((endpoint) => ({
      operation: `${endpoint.method} ${endpoint.path}`,
      summary: endpoint.summary,
      ...verdict(endpoint.access, caller, projects),
    })),
  };
}

function scopeRuleOf(granted: readonly Scope[], caller: Caller): string {
  const role = caller.role === null ? 'no role' : `the role ${caller.role}`;
  if (!granted.includes('Execute')) return `It was made to read only; its owner has ${role}.`;
  return caller.scopes?.has('Execute')
    ? `It was made to execute, and its owner, who has ${role}, may write.`
    : `It was made to execute, but its owner has ${role} and may not write: it acts as Read until they may.`;
}

const projectRuleOf = (right: ProjectRight | null): string =>
  right === null
    ? 'Its owner has no access to it, or it is archived.'
    : `The lower of what its scopes allow and what its owner may there: ${right === 'Read' ? 'reading' : 'writing'}.`;

function verdict(
  access: Access,
  caller: Caller,
  projects: readonly ReachedProject[],
): { isAllowed: boolean; rule: string } {
  const refusal = accessRefusal(access, caller);
  if (refusal) return { isAllowed: false, rule: refusal.detail ?? 'It needs a caller of another kind.' };
  const needs = access.grants.length === 0 ? '' : ` and ${describeGrants(access.grants)}`;
  const open = `It needs the ${access.scope} scope${needs}, which the key and its owner have`;
  if (access.project === 'none') return { isAllowed: true, rule: `${open}.` };
  if (access.project === 'managed')
    return { isAllowed: false, rule: 'It needs to manage the project, which no key does.' };
  const isReachable = projects.some(({ right }) =>
    access.project === 'readable' ? right !== null : right !== null && right !== 'Read',
  );
  const does = access.project === 'readable' ? 'read' : 'write';
  return isReachable
    ? { isAllowed: true, rule: `${open}, in the projects where it may ${does}.` }
    : { isAllowed: false, rule: `There is no project in which it may ${does}.` };
}
