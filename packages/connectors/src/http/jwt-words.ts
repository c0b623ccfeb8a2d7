import { hidden } from './hidden-secret.ts';

/**
 * What begins as a JWT does, to its end or that of its first part. What is no whole token is matched too, so that none of
 * its characters is read again for another beginning.
 */
const startOfJwt = /eyJ[\w-]+(?:\.[\w-]+\.[\w-]*)?/g;

/** Words without the tokens (JWT) that they repeat, however long they are. */
export const withoutJwt = (text: string): string =>
  text.replaceAll(startOfJwt, (found) => (found.includes('.') ? hidden : found));
