/** What stands for a hidden part, wherever a destination or a header value is shown. */
export const mask = '********';

/** One labelled part of a destination, for a reviewer. */
export type ReviewPart = { readonly label: string; readonly value: string };

/** A destination or a reason in words; the words never repeat what was entered. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

/** A refusal in words. */
export const refused = (message: string) => ({ ok: false, message }) as const;
