import type { ConnectorErrorCode } from '@svc/connectors';

const again = 'Test the connection again. If it fails again, look at the log of the service.';

/** Next step after a failed connection test, by error code. */
export const nextSteps: Readonly<Record<ConnectorErrorCode, string>> = {
  'invalid-settings': 'Correct the settings that the message names.',
  'file-unreadable': 'Check the path, its permissions and the format of the file.',
  'file-not-allowed': 'Move the file into a folder that the operator allows, or have its folder allowed.',
  'destination-refused': 'Choose another host, or have the operator allow its network.',
  'connection-failed': 'Check host, port and firewall, and that the database is running.',
  'tls-failed': 'Check the certificate of the server and the TLS settings.',
  'authentication-failed':
    'Correct user name and password, or the key, and check that the login may connect.',
  'database-not-found':
    'Correct the name of the database. Names may differ in case. Check that the login may see it.',
  'own-database': 'Connect to another database: this one holds the records of the service.',
  'privileged-login':
    'Create a role that may only read with the SQL below and enter it, or accept the login.',
  'login-may-write': 'Create a role that may only read with the SQL below and enter it, or accept the login.',
  'connection-lost': 'Test the connection again. If it is lost again, look at the log of the database.',
  'not-a-read': again,
  'more-than-one-statement': again,
  'empty-statement': again,
  'function-refused': again,
  'syntax-refused': again,
  'read-only': again,
  'permission-denied': 'Grant the login the right to connect and to read the catalogue.',
  'statement-failed': 'Check the engine and its version: the server refused the statement of the test.',
  'timed-out': 'Check host, port and firewall. If the database starts on demand, test again in a minute.',
  cancelled: 'Test the connection again.',
  'too-many-rows': again,
  'too-many-bytes': again,
  'value-too-large': again,
  'out-of-memory': 'Give the service more memory, or test again when fewer queries run.',
  'engine-unavailable':
    'Have the operator install the driver of this engine. The log of the service names it.',
};
