import type { Connector } from '../port.ts';
import { restDialect } from '../sql/dialects.ts';
import { executeRest } from './execute.ts';
import { readRestMetadata } from './metadata.ts';
import { type RestConnection, restSettings } from './settings.ts';
import { readRequest } from './statement.ts';
import { testRestConnection } from './test-connection.ts';

/**
 * Creates the connector for APIs that answer JSON. It reads only by GET, and only the selected endpoints. HTTP
 * defines GET as free of changes, but only the API itself can guarantee it.
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
