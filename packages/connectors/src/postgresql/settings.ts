import Type from 'typebox';
import { checkHost, networkFields } from '../network/settings.ts';
import { settingsForm } from '../settings.ts';

const schema = Type.Object(
  {
    ...networkFields(5432),
    // Optional, not false by default: settings that were stored without it remain valid.
    acceptPrivilegedLogin: Type.Optional(
      Type.Boolean({
        title: 'Accept a privileged login',
        description:
          'Uses a superuser, or a member of a role for files and programs of the server, that is refused otherwise. Whoever writes a query may then find a way to both.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Connection to a PostgreSQL database. */
export type PostgresqlConnection = Type.Static<typeof schema>;

export const postgresqlSettings = settingsForm({
  schema,
  secretFields: ['password'],
  check: checkHost,
});
