import { startBigQuery, type TestBigQuery } from '@svc/testkit/database/bigquery/server.ts';
import { createTestAuthority } from '@svc/testkit/service/certificates.ts';
import { afterAll, beforeAll } from 'vitest';
import { describeConversation } from '../testing/conversation.ts';
import { bigqueryWrites } from '../testing/statements/bigquery.ts';
import { createBigQueryConnector } from './index.ts';

const connector = createBigQueryConnector();
let server: TestBigQuery;
beforeAll(async () => {
  server = await startBigQuery(await createTestAuthority());
});
afterAll(() => server.stop());

describeConversation('what stands in for BigQuery', {
  connector,
  connection: () => connector.settings.parse(server.connection),
  dial: (target, options) => server.dial(target, options),
  endless: 'select n from shop.endless',
  writes: bigqueryWrites,
});
