import type { Fixture } from '../fixture.ts';
import type { Recipe } from '../recipe.ts';

/** Requests that acknowledge a firing alert of a fresh record, and withdraw the acknowledgement. */
export function acknowledgementRecipes(
  path: string,
  column: 'subscription_id' | 'contract_id',
  freshId: (fixture: Fixture) => Promise<number>,
): Readonly<Record<string, Recipe>> {
  const firing = async (fixture: Fixture) => {
    const id = await freshId(fixture);
    await fixture.svc.sql(
      `insert into svc.alert_states (${column}, state, since) values ($1, 'Firing', now())`,
      [id],
    );
    return `${path}/${id}/alert-acknowledgement`;
  };
  return {
    [`POST ${path}/{id}/alert-acknowledgement`]: async (fixture) => ({
      path: await firing(fixture),
      body: { note: 'I restart the loader.' },
    }),
    [`DELETE ${path}/{id}/alert-acknowledgement`]: async (fixture) => ({ path: await firing(fixture) }),
  };
}
