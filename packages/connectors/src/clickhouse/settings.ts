import net from 'node:net';
import Type from 'typebox';
import { checkHost, networkFields } from '../network/settings.ts';
import { settingsForm } from '../settings.ts';

const schema = Type.Object(
  {
    ...networkFields(8443),
    port: Type.Integer({
      title: 'Port',
      description: 'Port of the HTTP interface: 8443 with TLS, 8123 without.',
      minimum: 1,
      maximum: 65_535,
      default: 8443,
    }),
  },
  { additionalProperties: false },
);

/** Connection to the HTTP interface of a ClickHouse server. */
export type ClickhouseConnection = Type.Static<typeof schema>;

/** User and password are sent in headers, which must not contain control characters. */
const isHeaderText = (text: string): boolean =>
  [...text].every((character) => character >= ' ' && character !== '\x7f');

export const clickhouseSettings = settingsForm({
  schema,
  secretFields: ['password'],
  check: (connection) => {
    if (connection.tlsMode === 'VerifyFull' && net.isIP(connection.host) !== 0) {
      return { field: 'tlsMode', message: 'VerifyFull needs a host name; with an IP address use VerifyCa' };
    }
    for (const field of ['user', 'password'] as const)
      if (!isHeaderText(connection[field]))
        return { field, message: 'must not hold line breaks or other control characters' };
    return checkHost(connection);
  },
});
