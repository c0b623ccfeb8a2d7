import { type Access, administersKeys, type Grant, isAdministrative } from '@svc/contract';
import { forbidden, type Refusal, unauthorized } from '../http/refusals/refusal.ts';
import { type Caller, canRead, canWrite, holds, isAdmin } from './caller.ts';

function satisfies(caller: Caller, grant: Grant): boolean {
  if (grant === 'Read') return canRead(caller);
  if (grant === 'Write') return canWrite(caller);
  if (grant === 'Admin') return isAdmin(caller);
  return holds(caller, grant);
}

const nameOf: Readonly<Record<'Read' | 'Write' | 'Admin', string>> = {
  Read: 'the Viewer role or above',
  Write: 'the Editor role or above',
  Admin: 'the Admin role',
};

/** Describes the required grants in words, for a refusal. */
export function describeGrants(grants: readonly Grant[]): string {
  return grants
    .map((grant) => (grant in nameOf ? nameOf[grant as keyof typeof nameOf] : `the ${grant} permission`))
    .join(' or ');
}

/** Returns the refusal of the route's access entry for a caller, or undefined if the caller may pass. */
export function accessRefusal(access: Access, caller: Caller): Refusal | undefined {
  if (caller.kind === 'system' || caller.kind === 'aiActor' || !access.callers.includes(caller.kind))
    return refuseKind(access, caller);
  if (caller.kind === 'anonymous') return undefined;
  if (caller.kind === 'apiKey' || caller.kind === 'mcpCaller') {
    if (isAdministrative(access)) {
      return forbidden(
        'key-administrative',
        `API keys cannot use administrative routes. This one needs ${describeGrants(access.grants)}: sign in instead.`,
      );
    }
    if (access.scope === 'Execute' && !caller.scopes?.has('Execute')) {
      return executeRequired(caller);
    }
  }
  if (caller.mustChangePassword && access.grants.length > 0) {
    return forbidden(
      'password-change-required',
      'Change your password first: it was set by an administrator.',
    );
  }
  if (access.grants.length === 0 || access.grants.some((grant) => satisfies(caller, grant))) return undefined;
  return forbidden('permission-required', `This needs ${describeGrants(access.grants)}.`);
}

/**
 * Returns a 403 for a caller without Execute. The detail is the embedding application's reason, if it denied the
 * scope.
 */
export const executeRequired = ({ executeRefusal }: Pick<Caller, 'executeRefusal'>): Refusal =>
  forbidden(
    'execute-scope-required',
    `This operation requires the Execute scope.${executeRefusal === undefined ? '' : ` ${executeRefusal}`}`,
  );

function refuseKind(access: Access, caller: Caller): Refusal {
  if (caller.kind === 'anonymous')
    return caller.isSuspended && administersKeys(access)
      ? forbidden('permission-required', `This needs ${describeGrants(access.grants)}.`)
      : unauthorized();
  if (isAdministrative(access) && caller.kind === 'apiKey') {
    return forbidden(
      'key-administrative',
      `API keys cannot use administrative routes. This one needs ${describeGrants(access.grants)}: sign in instead.`,
    );
  }
  return sessionRequired();
}

/** Returns a 403 for an authenticated caller without a browser session. */
export const sessionRequired = (): Refusal =>
  forbidden('session-required', 'This is open to a signed-in browser session only.');
