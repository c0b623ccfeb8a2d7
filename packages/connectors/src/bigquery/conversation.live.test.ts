import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { describe, it } from 'vitest';
import { describeConversation } from '../testing/conversation.ts';
import { bigqueryWrites } from '../testing/statements/bigquery.ts';
import { createBigQueryConnector } from './index.ts';

/** Key file of an account that may only run statements, so that a wrongly accepted write cannot succeed. */
const { SVC_LIVE_BIGQUERY_KEY_FILE: keyPath, SVC_LIVE_BIGQUERY_PROJECT: project = '' } = process.env;
const connector = createBigQueryConnector();

if (keyPath === undefined)
  describe('the real BigQuery service', () => {
    it.skip('needs SVC_LIVE_BIGQUERY_KEY_FILE and SVC_LIVE_BIGQUERY_PROJECT');
  });
else
  describeConversation('BigQuery itself', {
    connector,
    connection: () =>
      connector.settings.parse({ project, keyFile: readFileSync(keyPath, 'utf8'), maxBilledGib: 1 }),
    dial: async ({ host, port }, { signal }) => {
      const socket = connect({ host, port, signal });
      await once(socket, 'connect');
      return socket;
    },
    endless:
      'select count(*) from unnest(generate_array(1, 1000000)) a, unnest(generate_array(1, 1000000)) b where mod(a * b, 7) = 3',
    writes: bigqueryWrites,
  });
