import type { Draft, Spoil } from '../hostile-provider.ts';

/**
 * One fault in an otherwise sound sign-in, and the reason of its refusal. Without the reason, another fault could cause
 * the refusal while the intended rule is missing.
 */
export type Attack = {
  readonly spoil: Spoil;
  /** Reported refusal: an invalid response of the provider, or a rule of admission. */
  readonly refusal: 'provider' | 'tenant' | 'guest' | 'group-or-role' | 'mfa';
  /** Text in the log. For refusals of admission, `refusal` is the reason. */
  readonly because?: RegExp;
};

type Json = Record<string, unknown>;

/** Changes claims of the ID token; undefined removes a claim. */
export const claims =
  (change: Json): Spoil =>
  (draft) =>
    void Object.assign(draft.claims, change);

/** Changes claims. The values are computed with the token, not with the table. */
export const claimsNow =
  (change: () => Json): Spoil =>
  (draft) =>
    void Object.assign(draft.claims, change());

/** Changes header members of the ID token. */
export const header =
  (change: Json): Spoil =>
  (draft) =>
    void Object.assign(draft.header, change);

/** Removes the names from the ID token, so that the service requests the user-info endpoint. Changes its response. */
export const userInfo =
  (change: Json, claimsToo: Json = {}): Spoil =>
  (draft) => {
    const names = { name: undefined, email: undefined, preferred_username: undefined };
    Object.assign(draft.claims, names, claimsToo);
    Object.assign(draft.userInfo, change);
  };

/** Writes a claim as a number that `JSON.stringify` never produces, such as `1e999`. */
export const numberAs =
  (claim: string, text: string): Spoil =>
  (draft: Draft) => {
    draft.claims[claim] = 'as text';
    draft.writeClaims = (json) => json.replace('"as text"', text);
  };

/** Returns an attack with an invalid response of the provider, and the text in the log. */
export const refused = (spoil: Spoil, because: RegExp): Attack => ({ spoil, refusal: 'provider', because });
