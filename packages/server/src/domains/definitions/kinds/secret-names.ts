import { badRequest } from '../../../platform/http/index.ts';

/** Returns the default name of a secret. */
export const secretNameOf = (slug: string, part: string): string =>
  `${/^[0-9]/.test(slug) ? 'R_' : ''}${slug}_${part}`
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .slice(0, 100)
    .replace(/_$/, '');

/** Returns the refusal of a definition whose secret needs a value. */
export const secretMissing = (name: string, pointer: string) =>
  badRequest('secret-missing', `Send the value of the secret ${name}.`, [
    { path: pointer, message: `needs the value of the secret ${name}` },
  ]);
