import { setupRequest } from '@svc/testkit/people/people.ts';
import { fresh } from '../fresh.ts';
import type { Recipes } from '../recipe.ts';

/** Requests of the first-run setup and of the sign-in. */
export const signInRecipes: Recipes = {
  'POST /svc/api/setup/superadmin': async () => ({ body: { ...setupRequest, userName: fresh('root') } }),
  'POST /svc/api/auth/login': async () => ({ body: { username: '', password: '', rememberMe: false } }),
  'POST /svc/api/auth/logout': async (fixture, kind) => ({ as: await fixture.anew(kind) }),
};
