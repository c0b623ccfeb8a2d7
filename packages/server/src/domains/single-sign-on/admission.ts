/** Claims of a verified ID token, completed by claims of the user-info endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

export type AdmissionRules = {
  readonly allowedTenants: readonly string[];
  readonly allowAnyTenant: boolean;
  readonly blockGuests: boolean;
  readonly requiredGroups: readonly string[];
  readonly requiredRoles: readonly string[];
  readonly requireMfa: boolean;
  readonly acceptedAcrValues: readonly string[];
};

/** Reason why a user with an account at the identity provider is not admitted. */
type AdmissionRefusal = 'tenant' | 'guest' | 'group-or-role' | 'mfa';

/**
 * Checks the admission before any user is looked up: tenant, guest, group or role, second factor.
 *
 * @param idToken  claims of the ID token alone. Tenant, guest and second factor come only from these.
 * @param all  the same with claims of the user-info endpoint. Groups and roles may come from these.
 */
export function refusalToAdmit(
  rules: AdmissionRules,
  idToken: Claims,
  all: Claims,
): AdmissionRefusal | undefined {
  if (!rules.allowAnyTenant && !isOfTenant(rules, idToken)) return 'tenant';
  if (rules.blockGuests && isGuest(idToken)) return 'guest';
  if (!hasRequired(rules, all)) return 'group-or-role';
  return rules.requireMfa && !hasSecondFactor(rules, idToken) ? 'mfa' : undefined;
}

/** Accepts one tenant as text. A list is refused, although it may contain an allowed tenant. */
const isOfTenant = ({ allowedTenants }: AdmissionRules, { tid }: Claims): boolean =>
  typeof tid === 'string' && allowedTenants.includes(tid);

/** Values of `acct` for accounts that are not guests. */
const memberAccounts: readonly unknown[] = [undefined, null, 0, '0'];

/**
 * Returns true for a guest: `acct` is 1, or `idp` is not the provider that issued the token. Unknown values count as
 * guest.
 */
function isGuest(claims: Claims): boolean {
  const { acct, idp, iss, tid } = claims;
  if (!memberAccounts.includes(acct)) return true;
  if (idp === undefined || idp === null) return false;
  const ownIssuers = [iss, ...(typeof tid === 'string' ? [tid, `https://sts.windows.net/${tid}/`] : [])];
  return !ownIssuers.includes(idp);
}

function hasRequired({ requiredGroups, requiredRoles }: AdmissionRules, claims: Claims): boolean {
  if (requiredGroups.length === 0 && requiredRoles.length === 0) return true;
  const groups = textsOf(claims['groups']);
  const roles = textsOf(claims['roles']);
  return (
    requiredGroups.some((group) => groups.includes(group)) ||
    requiredRoles.some((role) => roles.includes(role))
  );
}

function hasSecondFactor({ acceptedAcrValues }: AdmissionRules, claims: Claims): boolean {
  const { acr } = claims;
  return (
    textsOf(claims['amr']).includes('mfa') || (typeof acr === 'string' && acceptedAcrValues.includes(acr))
  );
}

/** Returns the texts of a claim that is a list or a single text. */
export function textsOf(claim: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return values.filter((value): value is string => typeof value === 'string');
}

/** Returns true for the issuers of one vendor whose common endpoint serves every tenant. */
export function isEntraKind(issuer: string): boolean {
  const host = URL.canParse(issuer) ? new URL(issuer).hostname : '';
  return /(^|\.)(microsoftonline\.(com|us|de)|microsoftonline\.cn|windows\.net|ciamlogin\.com)$/.test(host);
}
