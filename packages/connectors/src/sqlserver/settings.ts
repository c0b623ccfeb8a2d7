import Type from 'typebox';
import { checkHost, networkFields } from '../network/settings.ts';
import { settingsForm } from '../settings.ts';

const schema = Type.Object(
  {
    ...networkFields(1433),
    // Optional, not false by default: settings that were stored without it remain valid.
    acceptWritingLogin: Type.Optional(
      Type.Boolean({
        title: 'Accept a login that may write',
        description:
          'Uses a login that may do more than read, which is refused otherwise. SQL Server has no read-only transactions: only the login’s rights keep a statement from writing for certain.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Connection to a database of SQL Server. */
export type SqlserverConnection = Type.Static<typeof schema>;

export const sqlserverSettings = settingsForm({
  schema,
  secretFields: ['password'],
  check: checkHost,
});
