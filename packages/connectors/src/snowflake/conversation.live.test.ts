import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { describe, it } from 'vitest';
import { describeConversation } from '../testing/conversation.ts';
import { snowflakeWrites } from '../testing/statements/snowflake.ts';
import { createSnowflakeConnector } from './index.ts';

/** Connection settings as JSON, with a role that may only read. */
const { SVC_LIVE_SNOWFLAKE_CONNECTION: settingsPath } = process.env;
const connector = createSnowflakeConnector();

if (settingsPath === undefined)
  describe('the real Snowflake service', () => {
    it.skip('needs SVC_LIVE_SNOWFLAKE_CONNECTION');
  });
else
  describeConversation('Snowflake itself', {
    connector,
    connection: () => connector.settings.parse(JSON.parse(readFileSync(settingsPath, 'utf8'))),
    dial: async ({ host, port }, { signal }) => {
      const socket = connect({ host, port, signal });
      await once(socket, 'connect');
      return socket;
    },
    endless:
      'select count(*) from table(generator(rowcount => 1000000)) a, table(generator(rowcount => 1000000)) b where uniform(1, 1000, random()) = 7',
    writes: snowflakeWrites,
  });
