import type { Connector } from '../port.ts';
import { restDialect } from '../sql/dialects.ts';
import { executeRest } from './execute.ts';
import { readRestMetadata } from './metadata.ts';
import { type RestConnection, restSettings } from './settings.ts';
import { readRequest } from './statement.ts';
import { testRestConnection } from './test-connection.ts';

/**
 * APIs that answer JSON, read by GET alone and only at the endpoints that were ticked. That such a request changes
 * nothing is a convention of HTTP: the API itself keeps it or does not.
 */
export function createRestConnector(): Connector<RestConnection> {
  return {
    engine: 'Rest',
    label: 'REST API',
    settings: restSettings,
    dialect: restDialect,
    dryRun: {
      check: (statement, connection) => void readRequest(statement, restSettings.parse(connection)),
    },
    testConnection: testRestConnection,
    readMetadata: readRestMetadata,
    execute: executeRest,
  };
}
