import net from 'node:net';
import Type from 'typebox';
import { checkHost, networkFields } from '../network/settings.ts';
import { settingsForm } from '../settings.ts';

const schema = Type.Object(
  {
    ...networkFields(3306),
    // Optional, not false by default: settings that were stored without it remain valid.
    acceptPrivilegedLogin: Type.Optional(
      Type.Boolean({
        title: 'Accept a privileged login',
        description:
          'Uses a login with privileges over the server (FILE, PROCESS, SUPER and similar), which is refused otherwise. Authors of queries may then reach files and settings of the server, and statements of other users.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Connection to a MySQL or MariaDB database. */
export type MysqlConnection = Type.Static<typeof schema>;

export const mysqlSettings = settingsForm({
  schema,
  secretFields: ['password'],
  check: (connection) => {
    // The driver compares the certificate's name only with a host name.
    if (connection.tlsMode === 'VerifyFull' && net.isIP(connection.host) !== 0) {
      return { field: 'tlsMode', message: 'VerifyFull needs a host name; with an IP address use VerifyCa' };
    }
    return checkHost(connection);
  },
});
