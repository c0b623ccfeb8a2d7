import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { describe, it } from 'vitest';
import { describeConversation } from '../testing/conversation.ts';
import { databricksWrites } from '../testing/statements/databricks/refused.ts';
import { createDatabricksConnector } from './index.ts';

/** Connection settings as JSON, with a login that may only read. */
const { SVC_LIVE_DATABRICKS_CONNECTION: settingsPath } = process.env;
const connector = createDatabricksConnector();

if (settingsPath === undefined)
  describe('the real Databricks service', () => {
    it.skip('needs SVC_LIVE_DATABRICKS_CONNECTION');
  });
else
  describeConversation('Databricks itself', {
    connector,
    connection: () => connector.settings.parse(JSON.parse(readFileSync(settingsPath, 'utf8'))),
    dial: async ({ host, port }, { signal }) => {
      const socket = connect({ host, port, signal });
      await once(socket, 'connect');
      return socket;
    },
    endless:
      'select count(*) from range(1000000000) a cross join range(1000000000) b where a.id * b.id % 1001 = 7',
    writes: databricksWrites,
  });
