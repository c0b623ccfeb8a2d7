import { routes } from './routes.generated.ts';

const keyed = Object.values(routes)
  .map((route) => route.split(' '))
  .filter(([, , ...words]) => words.includes('keyed'))
  .map(([method, template = '']) => `${method} ${template.replaceAll(/\{\w+\}/g, '[^/]+')}`);
const pattern = new RegExp(`^(?:${keyed.join('|')})$`);

/** Returns true if the service executes this request once per `Idempotency-Key`. Other requests ignore the key. */
export const takesIdempotencyKey = (method: string, path: string): boolean =>
  pattern.test(`${method} ${path.split(/[?#]/, 1)[0]}`);
