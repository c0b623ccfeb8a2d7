import type { Fixture } from '../fixture.ts';
import { fresh } from '../fresh.ts';
import { freshRecipient, recipient } from '../fresh-records.ts';
import type { Recipes } from '../recipe.ts';

const recipients = '/svc/api/recipients';

const freshRecipientAt = async (fixture: Fixture, rest: string) => ({
  path: `${recipients}/${await freshRecipient(fixture)}${rest}`,
});

/** Requests about recipients. */
export const recipientRecipes: Recipes = {
  [`GET ${recipients}/{id}/delivery-settings`]: (fixture) => freshRecipientAt(fixture, '/delivery-settings'),
  [`PUT ${recipients}/{id}/retry-policy`]: async (fixture) => ({
    ...(await freshRecipientAt(fixture, '/retry-policy')),
    body: { retriesMax: 3, delaySeconds: 60 },
  }),
  [`PUT ${recipients}/{id}/number-format`]: async (fixture) => ({
    ...(await freshRecipientAt(fixture, '/number-format')),
    body: { numbers: 'Number' },
  }),
  [`POST ${recipients}/{id}/signing-secrets`]: (fixture) => freshRecipientAt(fixture, '/signing-secrets'),
  [`DELETE ${recipients}/{id}/signing-secrets/previous`]: (fixture) =>
    freshRecipientAt(fixture, '/signing-secrets/previous'),
  [`DELETE ${recipients}/{id}/signing-secrets`]: (fixture) => freshRecipientAt(fixture, '/signing-secrets'),
  [`POST ${recipients}/template-preview`]: async () => ({
    body: { notificationType: 'Webhook', bodyTemplate: '{{Records}}' },
  }),
  [`POST ${recipients}`]: async () => ({ body: recipient() }),
  [`GET ${recipients}/{id}`]: async (fixture) => ({ path: `${recipients}/${await freshRecipient(fixture)}` }),
  [`PUT ${recipients}/{id} (renaming)`]: async (fixture) => {
    const id = await freshRecipient(fixture);
    const { destination } = (await fixture.root.get(`${recipients}/${id}`)).read<{ destination: string }>();
    return {
      path: `${recipients}/${id}`,
      body: { notificationType: 'Webhook', name: fresh('Renamed'), destination },
    };
  },
  [`GET ${recipients}/{id}/uses`]: async (fixture) => ({
    path: `${recipients}/${await freshRecipient(fixture)}/uses`,
  }),
  [`DELETE ${recipients}/{id}`]: async (fixture) => ({
    path: `${recipients}/${await freshRecipient(fixture)}`,
  }),
};
