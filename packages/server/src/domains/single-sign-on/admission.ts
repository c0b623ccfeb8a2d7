/** Claims of a verified ID token, completed by those of the user-info endpoint. */
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

/** Why somebody whom the identity provider knows is not let in. */
type AdmissionRefusal = 'tenant' | 'guest' | 'group-or-role' | 'mfa';

/**
 * Who may come in, judged before any user is looked up: tenant, then guest, then group or role, then the second
 * factor.
 *
 * @param idToken  claims of the ID token alone: tenant, guest and second factor are taken from nowhere else.
 * @param all  the same with the user-info endpoint's added: groups and roles may come from there.
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

/** One tenant, as a text: a list names none, though it may hold an allowed one. */
const isOfTenant = ({ allowedTenants }: AdmissionRules, { tid }: Claims): boolean =>
  typeof tid === 'string' && allowedTenants.includes(tid);

/** What `acct` says of an account that is no guest's. */
const memberAccounts: readonly unknown[] = [undefined, null, 0, '0'];

/** A guest has `acct` 1, or an `idp` that is not the provider that issued the token. What nobody knows is a guest. */
function isGuest(claims: Claims): boolean {
  const { acct, idp, iss, tid } = claims;
  if (!memberAccounts.includes(acct)) return true;
  if (idp === undefined || idp === null) return false;
  const own = [iss, ...(typeof tid === 'string' ? [tid, `https://sts.windows.net/${tid}/`] : [])];
  return !own.includes(idp);
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

/** The texts of a claim that is a list, or one text. */
export function textsOf(claim: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return values.filter((value): value is string => typeof value === 'string');
}

/** True for the issuers of one vendor whose common endpoint serves every tenant. */
export function isEntraKind(issuer: string): boolean {
  const host = URL.canParse(issuer) ? new URL(issuer).hostname : '';
  return /(^|\.)(microsoftonline\.(com|us|de)|microsoftonline\.cn|windows\.net|ciamlogin\.com)$/.test(host);
}
