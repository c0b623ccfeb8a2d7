import { hidden } from './hidden-secret.ts';

/** Matches a JWT, or a text that only starts like one. Matching the latter too prevents a second scan of its characters. */
const startOfJwt = /eyJ[\w-]+(?:\.[\w-]+\.[\w-]*)?/g;

/** Returns the text without the JWTs that it repeats, at any length. */
export const withoutJwt = (text: string): string =>
  text.replaceAll(startOfJwt, (match) => (match.includes('.') ? hidden : match));
