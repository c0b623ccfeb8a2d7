import type { Draft, Spoil } from '../hostile-provider.ts';

/**
 * One thing that is wrong about a sign-in that is sound in everything else, and why it has to be refused: without the
 * reason an attack may be refused for another fault of it, while its own rule is not there at all.
 */
export type Attack = {
  readonly spoil: Spoil;
  /** What the refusal is told as: the provider's answer does not hold, or one of the rules of admission. */
  readonly refusal: 'provider' | 'tenant' | 'guest' | 'group-or-role' | 'mfa';
  /** What the log says; for refusals of admission the word is the reason. */
  readonly because?: RegExp;
};

type Json = Record<string, unknown>;

/** Changes claims of the ID token; undefined takes one away. */
export const claims =
  (change: Json): Spoil =>
  (draft) =>
    void Object.assign(draft.claims, change);

/** Claims that are made when the token is, not when the table is. */
export const claimsNow =
  (change: () => Json): Spoil =>
  (draft) =>
    void Object.assign(draft.claims, change());

/** The same with a header member. */
export const header =
  (change: Json): Spoil =>
  (draft) =>
    void Object.assign(draft.header, change);

/** Makes the ID token say too little of the person, so that the user-info endpoint is asked, and changes its answer. */
export const userInfo =
  (change: Json, claimsToo: Json = {}): Spoil =>
  (draft) => {
    const names = { name: undefined, email: undefined, preferred_username: undefined };
    Object.assign(draft.claims, names, claimsToo);
    Object.assign(draft.userInfo, change);
  };

/** Writes a claim as a number that no value of ours is written as: `1e999` is JSON. */
export const numberAs =
  (claim: string, text: string): Spoil =>
  (draft: Draft) => {
    draft.claims[claim] = 'as text';
    draft.writeClaims = (json) => json.replace('"as text"', text);
  };

/** An answer of the provider that does not hold, and what the log says of it. */
export const refused = (spoil: Spoil, because: RegExp): Attack => ({ spoil, refusal: 'provider', because });
