import Type from 'typebox';
import { checkHost, networkFields } from '../network-settings.ts';
import { settingsForm } from '../settings.ts';

const schema = Type.Object(networkFields(5432), { additionalProperties: false });

/** Connection to a PostgreSQL database. */
export type PostgresqlConnection = Type.Static<typeof schema>;

export const postgresqlSettings = settingsForm({
  schema,
  secretFields: ['password'],
  destinationFields: ['host', 'port'],
  check: checkHost,
});
