/** Replacement for a hidden part, in every displayed destination and header value. */
export const mask = '********';

/** One labelled part of a destination, for a reviewer. */
export type ReviewPart = { readonly label: string; readonly value: string };

/** A parsed value, or the reason of the refusal in words. The reason never repeats the input. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

export const refused = (message: string) => ({ ok: false, message }) as const;
